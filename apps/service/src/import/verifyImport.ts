import type { ChainConfig } from '../config/Config.ts'
import type { DuckDb } from '../facts/DuckDb.ts'
import { createScope } from '../indexing/decode/Scope.ts'
import type { ChainNode } from '../rpc/ChainNode.ts'
import { decodeWord } from '../rpc/methods/Call.ts'
import type { ImportedBlock } from './checkImport.ts'
import { compareEvents, loadEnds } from './compareEvents.ts'
import { type ImportFiles, selectHex } from './importTables.ts'
import { LogReplay } from './LogReplay.ts'
import { sampleBlocks, type SampledBlocks } from './sampleBlocks.ts'
import { type Amount, selectAmounts } from './selectAmounts.ts'

/** Blocks whose hashes are compared with the nodes'. */
const sampledBlocks = 50

interface VerifyOptions {
  readonly duckDb: DuckDb
  readonly chain: ChainConfig
  readonly node: ChainNode
  readonly files: ImportFiles
  readonly block: ImportedBlock
  /** How many parts of the history have a sampled block, and how many amounts of each kind are compared. */
  readonly count: number
  readonly signal: AbortSignal
  readonly onProgress: (text: string) => void
}

export interface Verification {
  /** Blocks whose events were compared with the rows. */
  readonly blocks: number
  /** Amounts that were compared, and those that a contract returned as in the import. */
  readonly compared: number
  readonly equal: number
  /** Amounts that a contract does not return, but that follow from its logs. */
  readonly fromLogs: number
  /** What differs from the chain, a line each. */
  readonly differences: readonly string[]
}

/**
 * Compares an import with the nodes, at its last block: hashes of random blocks; the events of other random blocks and of the
 * last ones, which must be part of its rows; and random amounts, of all rows and of those that these blocks changed. An
 * amount that a contract does not return is derived from the logs of the contract instead, since the ledger is the sum of
 * its logs: the audit finds such tokens later.
 *
 * @throws {NodeError} when the nodes do not respond.
 */
export async function verifyImport(options: VerifyOptions): Promise<Verification> {
  const { duckDb, files, block, signal } = options
  const none = { blocks: 0, compared: 0, equal: 0, fromLogs: 0 }
  const blockDifferences = await compareBlocks(options)
  if (blockDifferences.length > 0) {
    return { ...none, differences: blockDifferences }
  }
  const last = block.number
  const ends = await loadEnds(duckDb, files, signal)
  const sampled = await sampleBlocks({ ...options, last, ends: [...new Set(ends.values())] })
  const blocks = sampled.numbers.length
  const differences = await compareEvents({ ...options, sampled, ends, last })
  return differences.length > 0
    ? { ...none, blocks, differences }
    : { blocks, ...(await compareAmounts(options, sampled)) }
}

async function compareAmounts(
  options: VerifyOptions,
  sampled: SampledBlocks,
): Promise<Omit<Verification, 'blocks'>> {
  const { node, chain, block, signal, onProgress } = options
  const amounts = await selectAmounts({ ...options, sampled })
  onProgress(`comparing ${amounts.length} amounts with the nodes at block ${block.number}`)
  const head = await node.getHead(signal)
  const results = await node.multicall(
    amounts.map(({ call }) => call),
    block,
    { signal, aggregatedBytes: 32, depth: Math.max(0, head.number - block.number) },
  )
  const unequal = amounts.flatMap((amount, index) => {
    const result = results[index]
    const byCall = result?.status === 'reverted' ? amount.reverted : decodeWord(result)
    return byCall === amount.expected ? [] : [{ ...amount, byCall }]
  })
  const logs = new LogReplay({
    node,
    block,
    signal,
    startBlock: chain.startBlock,
    scope: createScope(chain),
  })
  const differing: Amount[] = []
  const differences: string[] = []
  for (const [index, amount] of unequal.entries()) {
    onProgress(
      `reading the logs of amount ${index + 1} of ${unequal.length} that a call does not return`,
    )
    const { text, expected, byCall, replay } = amount
    const replayed = await replay(logs)
    if (replayed !== expected) {
      differing.push(amount)
      differences.push(
        `${text}: ${expected} in the import, ${replayed} by its logs, ${byCall ?? 'nothing'} by a call`,
      )
    }
  }
  return {
    compared: amounts.length,
    equal: amounts.length - unequal.length,
    fromLogs: unequal.length - differing.length,
    differences: [...describeEnds(differing, sampled, block.number), ...differences],
  }
}

/** Tables whose amounts differ where the last blocks changed them: they may have been written before these. */
function describeEnds(
  differing: readonly Amount[],
  { newestFrom }: SampledBlocks,
  last: number,
): string[] {
  const recent = differing.filter(({ isRecent }) => isRecent)
  return [...new Set(recent.map(({ table }) => table))].map((table) => {
    const count = recent.filter((amount) => amount.table === table).length
    return `${table} has ${count} other amounts than the chain among those that blocks ${newestFrom} to ${last} changed: where blocks are newer than ${table}, write both from the same facts`
  })
}

async function compareBlocks({
  duckDb,
  node,
  block,
  signal,
  onProgress,
}: VerifyOptions): Promise<string[]> {
  onProgress('comparing hashes of blocks with the nodes')
  const rows = await duckDb.query<{ number: bigint; hash: string; time: bigint }>(
    `select number, ${selectHex('hash')}, time from (
      select * from blocks using sample reservoir(${sampledBlocks} rows)
      union select * from blocks where number = ${block.number}
    )`,
    signal,
  )
  const headers = await Promise.all(
    rows.map(({ number }) => node.getHeader(Number(number), signal)),
  )
  return rows.flatMap(({ number, hash, time }, index) => {
    const header = headers[index]
    return header?.hash === hash && header.time === Number(time)
      ? []
      : [
          `block ${number}: ${hash} at ${time} in the import, ${header ? `${header.hash} at ${header.time}` : 'none'} of the nodes`,
        ]
  })
}
