import { mkdtempSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { expect, it, onTestFinished } from 'vitest'
import { openMemoryStore } from '../../test/openMemoryStore.ts'
import { seedChain } from '../../test/seedChain.ts'
import { testChainConfig } from '../../test/testChainConfig.ts'
import { toStoredScope } from '../indexing/decode/StoredScope.ts'
import type { ChainNode } from '../rpc/ChainNode.ts'
import { keepFacts } from './keepFacts.ts'

it('continues after its temporary files could not be deleted, as on a disk that failed for a while', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-facts-'))
  const store = await openMemoryStore()
  const chain = testChainConfig(1)
  await seedChain(store.db, { chainId: 1, blocks: { 0: 1, 9: 2 } })
  await store.db
    .updateTable('chains')
    .set({ scope: JSON.stringify(toStoredScope(chain)), final_block: 9 })
    .execute()
  const work = join(folder, '1/work')
  let attempts = 0
  const node = {
    maySupportReceipts: true,
    getHeaders: async () => {
      if (++attempts === 1) {
        renameSync(work, `${work}-away`)
        symlinkSync(work, work)
      }
      throw new Error('no response')
    },
  } as unknown as ChainNode
  const messages: string[] = []
  const logger = pino({ level: 'warn' }, { write: (line) => messages.push(line) })
  const stop = new AbortController()
  const facts = { folder, blocksPerChunk: 5, memoryLimit: '64MB' }
  const running = keepFacts({ chain, db: store.db, node, facts, logger }, stop.signal)
  onTestFinished(async () => {
    stop.abort()
    await running
    await store.close()
    rmSync(folder, { recursive: true })
  })
  const retried = () =>
    expect.poll(() => messages.join(''), { timeout: 5000 }).toContain('retrying')
  await Promise.race([running, retried()])
  rmSync(work)
  renameSync(`${work}-away`, work)
  await Promise.race([running, expect.poll(() => attempts, { timeout: 10_000 }).toBeGreaterThan(1)])
  expect(attempts).toBeGreaterThan(1)
})
