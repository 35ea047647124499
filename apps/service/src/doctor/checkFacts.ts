import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { rmdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ChainConfig, Config, FactsConfig } from '../config/Config.ts'
import { ChainFacts } from '../facts/ChainFacts.ts'
import { DuckDb } from '../facts/DuckDb.ts'
import { openFactsStorage } from '../facts/openFactsStorage.ts'
import { formatReason } from '../formatReason.ts'
import { toStoredScope } from '../indexing/decode/StoredScope.ts'
import { ChainNode } from '../rpc/ChainNode.ts'
import { type CheckResult, createResults } from './CheckResult.ts'

const { ok, warning, error } = createResults('facts')

/** Checks that facts can be written, and that those of each chain are of the configured one. */
export async function checkFacts({
  facts,
  role,
  chains,
}: Pick<Config, 'facts' | 'chains'> & Partial<Pick<Config, 'role'>>): Promise<CheckResult[]> {
  if (!facts || role === 'serve') {
    return []
  }
  const results = [await checkStorage(facts), await checkDuckDb(facts)]
  if (results[0]?.level === 'error') {
    return results
  }
  const indexed = chains.filter(({ history }) => history !== 'node')
  const found = await Promise.all(indexed.map((chain) => checkChainFacts(facts, chain)))
  return [...results, ...found.flat()]
}

/** Writes, reads and deletes a small file. */
async function checkStorage(facts: FactsConfig): Promise<CheckResult> {
  const { folder, s3 } = facts
  const name = `doctor/${randomUUID()}`
  const isMissing = !s3 && !existsSync(folder)
  try {
    const storage = await openFactsStorage(facts, '', { keepsCopies: false })
    try {
      await storage.create(name, name)
      const isRead = (await storage.read(name)) === name
      const isReplaced = await storage.create(name, name)
      const isListed = (await storage.list('doctor')).some((file) => file.name === name)
      await storage.remove(name)
      if (!isRead || !isListed || (await storage.read(name)) !== undefined) {
        return error(`${folder} does not return what was written: use a storage that is consistent`)
      }
      return isReplaced
        ? warning(
            `${folder} ignores conditional writes (If-None-Match): let the processes of one database only write there`,
          )
        : ok(`${folder} can be written, read and deleted from`)
    } finally {
      await storage.close()
      if (!s3) {
        await removeEmpty(join(folder, 'doctor'))
      }
      if (isMissing) {
        await removeEmpty(folder)
      }
    }
  } catch (reason) {
    const text = formatReason(reason)
    const remedy = /^(ENOSPC|EDQUOT)\b/.test(text)
      ? 'free space'
      : 'change its permissions, or choose another facts.folder'
    return error(s3 ? text : `${folder} cannot be used (${text}): ${remedy}`)
  }
}

async function removeEmpty(folder: string): Promise<void> {
  await rmdir(folder).catch(() => {})
}

async function checkDuckDb({ memoryLimit }: FactsConfig): Promise<CheckResult> {
  try {
    const folder = join(tmpdir(), `headwater-doctor-${randomUUID()}`)
    const duckDb = await DuckDb.open({ folder, memoryLimit })
    duckDb.close()
    return ok(`DuckDB is installed and uses ${memoryLimit} per chain`)
  } catch (reason) {
    return error(formatReason(reason))
  }
}

async function checkChainFacts(facts: FactsConfig, chain: ChainConfig): Promise<CheckResult[]> {
  const results = createResults(`chain ${chain.id}, facts`)
  const node = new ChainNode(chain.rpcUrls, { chainId: chain.id })
  // The check of nodes reports those that do not respond.
  const genesis = await node.getHeader(0).catch(() => undefined)
  if (!genesis) {
    return []
  }
  const { ledger } = toStoredScope(chain)
  const identity = { chainId: chain.id, genesisHash: genesis.hash, ledger }
  try {
    return (await ChainFacts.verify(facts, identity))
      ? [results.ok('are those of the configured chain')]
      : []
  } catch (reason) {
    return [results.error(formatReason(reason))]
  }
}
