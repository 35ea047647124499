import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { pino } from 'pino'
import { describe, expect, it, onTestFinished } from 'vitest'
import { arbitraryBlocks, arbitraryWorld } from '../../test/arbitraryBlocks.ts'
import { FakeChain } from '../../test/FakeChain.ts'
import { startFakeNode } from '../../test/startFakeNode.ts'
import { testChainConfig } from '../../test/testChainConfig.ts'
import { toStoredScope } from '../indexing/decode/StoredScope.ts'
import { ChainNode } from '../rpc/ChainNode.ts'
import { ChainFacts } from './ChainFacts.ts'
import { DuckDb } from './DuckDb.ts'
import { FactsError } from './FactsError.ts'
import { FactsWriter } from './FactsWriter.ts'
import { type FactKind, factKinds } from './factTables.ts'

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
      const options = { chain, node, facts, duckDb, logger, onStage: () => {} }
      await new FactsWriter(options).writeTo(last, signal)
      return facts.chunks
    } finally {
      duckDb.close()
      await facts.close()
    }
  }
  return { root, open, write }
}

const listManifests = (folder: string) => readdirSync(join(folder, '1/manifest')).sort()

it('writes the same facts when another process writes them at the same time', async () => {
  const { root, write } = await startChain()
  const expected = await write(join(root, 'alone'), 5, 49)
  expect(expected).toHaveLength(10)
  const shared = join(root, 'shared')
  mkdirSync(shared)
  // Writers of the same path take turns within a process, which those of several processes do not.
  const others = [1, 2, 3].map((number) => join(root, `shared-${number}`))
  for (const other of others) {
    symlinkSync(shared, other)
  }
  const written = await Promise.all([shared, ...others].map((folder) => write(folder, 5, 49)))
  expect(written).toEqual(written.map(() => expected))
  expect(await write(shared, 5, 49)).toEqual(expected)
  expect(readdirSync(join(shared, '1')).sort()).toEqual(readdirSync(join(root, 'alone/1')).sort())
})

it('deletes what a process that was killed left, and nothing of one that runs', async () => {
  const { root, open } = await startChain()
  const first = await open(root, 5)
  const second = await open(root, 5)
  expect(first.workFolder).not.toBe(second.workFolder)
  const file = join(first.workFolder, 'file')
  writeFileSync(file, 'content')
  await second.close()
  await second.close()
  const third = await open(root, 5)
  expect(third.workFolder).toBe(second.workFolder)
  expect(readFileSync(file, 'utf8')).toBe('content')
  // As after a kill, which ends the lock.
  await first.close()
  mkdirSync(first.workFolder)
  writeFileSync(file, 'content')
  const fourth = await open(root, 5)
  expect(fourth.workFolder).toBe(first.workFolder)
  expect(readdirSync(fourth.workFolder)).toEqual([])
  await third.close()
  await fourth.close()
  // A rejected configuration keeps no lock.
  await expect(open(root, 6)).rejects.toBeInstanceOf(FactsError)
  const fifth = await open(root, 5)
  expect(fifth.workFolder).toBe(first.workFolder)
  await fifth.close()
})

describe('a chunk that is added', () => {
  /** Adds a chunk with some deposits of one contract and account. */
  async function addDeposits(written: number, rows: number) {
    const { root, open } = await startChain()
    const facts = await open(root, 5)
    const empty = join(root, 'empty')
    const file = join(root, 'text')
    writeFileSync(empty, '')
    const address = `0x${'ab'.repeat(20)}`
    const lines = Array.from(
      { length: written },
      (_, index) => `4\t${index}\t${address}\t${address}\n`,
    )
    writeFileSync(file, lines.join(''))
    const duckDb = await DuckDb.open({ folder: join(root, 'spill'), memoryLimit: '64MB' })
    onTestFinished(async () => {
      duckDb.close()
      await facts.close()
    })
    const others = factKinds.map((kind) => [kind, { file: empty, rows: 0 }])
    const texts = Object.fromEntries(others) as Record<FactKind, { file: string; rows: number }>
    const hash = `0x${'11'.repeat(32)}`
    const chunk = { from: 0, to: 4, parentHash: hash, hash, time: 1 }
    const adding = facts.add(duckDb, chunk, { ...texts, deposits: { file, rows } })
    return { root, facts, duckDb, adding }
  }

  it('is not published if its files lack rows', async () => {
    const { facts, adding } = await addDeposits(0, 1)
    await expect(adding).rejects.toThrow('deposits of blocks 0 to 4 have 0 rows instead of 1')
    await facts.reload()
    expect(facts.all).toEqual([])
  })

  it('has no Bloom filters, by which some versions of DuckDB skip rows', async () => {
    const { root, duckDb, adding } = await addDeposits(2000, 2000)
    await adding
    const filters = await duckDb.query(`
      select path_in_schema from parquet_metadata('${root}/1/deposits/*.parquet')
      where bloom_filter_offset is not null`)
    expect(filters).toEqual([])
  })
})

it('keeps chunks that overlap, and rejects another number of blocks per chunk', async () => {
  const { root, open, write } = await startChain()
  const folder = join(root, 'facts')
  await write(folder, 10, 39)
  await expect(open(folder, 4)).rejects.toThrow(
    /have 10 blocks per file, not 4: set facts\.blocksPerChunk to 10, or choose another folder/,
  )
  // Facts that several processes wrote with different settings, before these were compared.
  await write(join(root, 'other'), 4, 15)
  rmSync(join(root, 'other/1/facts.json'))
  cpSync(join(root, 'other/1'), join(folder, '1'), { recursive: true })
  const identity = JSON.parse(readFileSync(join(folder, '1/facts.json'), 'utf8')) as object
  writeFileSync(
    join(folder, '1/facts.json'),
    JSON.stringify({ ...identity, blocksPerChunk: undefined }),
  )
  const before = listManifests(folder)
  expect(before).toHaveLength(8)
  const chunks = await write(folder, 10, 49)
  expect(chunks.map(({ from }) => from)).toEqual([0, 10, 20, 30, 40])
  expect(listManifests(folder)).toEqual([...before, '000000000040-000000000049.json'])
  // A gap ends at the next chunk, also where others begin before it.
  rmSync(join(folder, '1/manifest/000000000010-000000000019.json'))
  const repaired = await write(folder, 10, 49)
  expect(repaired.map(({ from }) => from)).toEqual([0, 10, 12, 16, 20, 30, 40])
})

it('removes corrupted chunks, but not those that cannot be read', async () => {
  const { root, open, write } = await startChain()
  await write(root, 10, 29)
  const [first, second] = readdirSync(join(root, '1/transfers')).sort()
  const [unreadable, missing] = [first, second].map((name) => join(root, '1/transfers', name ?? ''))
  rmSync(missing as string)
  rmSync(unreadable as string)
  symlinkSync(unreadable as string, unreadable as string)
  const facts = await open(root, 10)
  await expect(facts.removeCorrupted(facts.chunks)).rejects.toThrow('ELOOP')
  expect(facts.chunks.map(({ from }) => from)).toEqual([0, 10, 20])
  const removed = await facts.removeCorrupted(facts.chunks.slice(1))
  expect(removed.map(({ from }) => from)).toEqual([10])
  await facts.close()
})
