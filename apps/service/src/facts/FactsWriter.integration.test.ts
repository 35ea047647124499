import { mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { pino } from 'pino'
import { expect, it, onTestFinished } from 'vitest'
import { arbitraryBlocks, arbitraryWorld } from '../../test/arbitraryBlocks.ts'
import { FakeChain } from '../../test/FakeChain.ts'
import { startFakeNode } from '../../test/startFakeNode.ts'
import { testChainConfig } from '../../test/testChainConfig.ts'
import { toStoredScope } from '../indexing/decode/StoredScope.ts'
import { ChainNode } from '../rpc/ChainNode.ts'
import { ChainFacts } from './ChainFacts.ts'
import { DuckDb } from './DuckDb.ts'
import { FactsWriter } from './FactsWriter.ts'

const { signal } = new AbortController()

/** A chain with a block 49 or more, and a folder of facts. */
async function startChain() {
  const root = mkdtempSync(join(tmpdir(), 'headwater-facts-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  const fake = new FakeChain()
  const [history = []] = fc.sample(arbitraryBlocks(60, 60), { numRuns: 1, seed: 7 })
  for (const events of history) {
    fake.mine(events)
  }
  const server = await startFakeNode(fake)
  onTestFinished(() => server.close())
  const chain = testChainConfig(1, { rpcUrls: [server.url], wrappedNative: arbitraryWorld.weth })
  const open = async (folder: string, blocksPerChunk: number) => {
    const config = { folder, blocksPerChunk, memoryLimit: '256MB' }
    const genesisHash = fake.blocks[0]?.hash as string
    const { ledger } = toStoredScope(chain)
    return await ChainFacts.open(config, { chainId: 1, genesisHash, ledger })
  }
  /** Writes facts up to a block, as a process does. */
  const write = async (folder: string, blocksPerChunk: number, last: number) => {
    const facts = await open(folder, blocksPerChunk)
    const duckDb = await DuckDb.open({
      folder: join(facts.workFolder, 'spill'),
      memoryLimit: '256MB',
    })
    try {
      const logger = pino({ level: 'silent' })
      const node = new ChainNode(chain.rpcUrls, { chainId: 1 })
      const options = { chain, node, facts, duckDb, logger, blocksPerChunk, onStage: () => {} }
      await new FactsWriter(options).writeTo(last, signal)
      return facts.chunks
    } finally {
      duckDb.close()
      await facts.close()
    }
  }
  return { root, open, write }
}

it('removes corrupted chunks, but not those that cannot be read', async () => {
  const { root, open, write } = await startChain()
  await write(root, 10, 29)
  const [first, second] = readdirSync(join(root, '1/transfers')).sort()
  const [unreadable, missing] = [first, second].map((name) => join(root, '1/transfers', name ?? ''))
  rmSync(missing as string)
  rmSync(unreadable as string)
  symlinkSync(unreadable as string, unreadable as string)
  const facts = await open(root, 10)
  await expect(facts.removeCorrupted(signal)).rejects.toThrow('ELOOP')
  expect(facts.chunks.map(({ from }) => from)).toEqual([0, 10, 20])
  const removed = await facts.removeCorrupted(signal, facts.chunks.slice(1))
  expect(removed.map(({ from }) => from)).toEqual([10])
  await facts.close()
})
