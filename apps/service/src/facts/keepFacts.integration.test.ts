import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { expect, it, onTestFinished } from 'vitest'
import { openMemoryStore } from '../../test/openMemoryStore.ts'
import { seedChain } from '../../test/seedChain.ts'
import { testChainConfig } from '../../test/testChainConfig.ts'
import { toStoredScope } from '../indexing/decode/StoredScope.ts'
import type { ChainNode } from '../rpc/ChainNode.ts'
import { FactsError } from './FactsError.ts'
import { keepFacts } from './keepFacts.ts'

/** An indexed chain of which facts are written, whose node does not respond. */
async function startFacts(getHeaders: () => Promise<never>) {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-facts-'))
  const store = await openMemoryStore()
  const chain = testChainConfig(1)
  await seedChain(store.db, { chainId: 1, blocks: { 0: 1, 9: 2 } })
  await store.db
    .updateTable('chains')
    .set({ scope: JSON.stringify(toStoredScope(chain)), final_block: 9 })
    .execute()
  const node = { maySupportReceipts: true, getHeaders } as unknown as ChainNode
  const messages: string[] = []
  const failures: unknown[] = []
  const logger = pino({ level: 'warn' }, { write: (line) => messages.push(line) })
  const stop = new AbortController()
  let running: Promise<void> | undefined
  onTestFinished(async () => {
    stop.abort()
    await running
    await store.close()
    rmSync(folder, { recursive: true })
  })
  return {
    folder,
    start() {
      const facts = { folder, blocksPerChunk: 5, memoryLimit: '64MB' }
      const onFailure = (error: unknown) => failures.push(error)
      const options = { chain, db: store.db, node, facts, logger, onFailure, repairMs: 20 }
      running = keepFacts(options, stop.signal)
    },
    failures,
    logs: (text: string) => expect.poll(() => messages.join('')).toContain(text),
  }
}

it('continues once an operator has repaired what it cannot retry', async () => {
  const noResponse = new Error('no response')
  const { folder, start, logs, failures } = await startFacts(() => Promise.reject(noResponse))
  const description = join(folder, '1/facts.json')
  mkdirSync(join(folder, '1'))
  writeFileSync(description, 'damaged')
  start()
  await logs('until this is repaired')
  expect(failures[0]).toBeInstanceOf(FactsError)
  rmSync(description)
  await logs('no response')
  expect(failures.at(-1)).toBe(noResponse)
})

it('continues after its temporary files could not be deleted, as on a disk that failed for a while', async () => {
  let attempts = 0
  const { folder, start, logs } = await startFacts(() => {
    if (++attempts === 1) {
      renameSync(work, `${work}-away`)
      symlinkSync(work, work)
    }
    return Promise.reject(new Error('no response'))
  })
  const work = join(folder, '1/work')
  start()
  await logs('retrying')
  rmSync(work)
  renameSync(`${work}-away`, work)
  await expect.poll(() => attempts).toBeGreaterThan(1)
})
