import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { FakeChain } from '../../test/FakeChain.ts'
import { startFakeNode } from '../../test/startFakeNode.ts'
import { testChainConfig } from '../../test/testChainConfig.ts'
import { ChainFacts } from '../facts/ChainFacts.ts'
import { runFactsCommand } from '../facts/runFactsCommand.ts'
import { toStoredScope } from '../indexing/decode/StoredScope.ts'
import { checkFacts } from './checkFacts.ts'

/** A chain with a description of its facts, and none of its blocks. */
async function startFacts() {
  const root = mkdtempSync(join(tmpdir(), 'headwater-doctor-facts-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  const fake = new FakeChain()
  const server = await startFakeNode(fake, 1)
  onTestFinished(() => server.close())
  const chain = testChainConfig(1, { rpcUrls: [server.url] })
  const facts = { folder: join(root, 'facts'), blocksPerChunk: 10, memoryLimit: '256MB' }
  const { ledger } = toStoredScope(chain)
  const genesisHash = fake.blocks[0]?.hash as string
  await (await ChainFacts.open(facts, { chainId: 1, genesisHash, ledger })).close()
  const description = join(facts.folder, '1/facts.json')
  const change = (changes: object) => {
    const stored = JSON.parse(readFileSync(description, 'utf8')) as object
    writeFileSync(description, JSON.stringify({ ...stored, ...changes }))
  }
  return { facts, chain, description, change }
}

it('accepts the facts of a chain and leaves nothing behind', async () => {
  const { facts, chain } = await startFacts()
  const results = await checkFacts({ facts, chains: [chain, { ...chain, id: 2 }] })
  expect(results.map(({ level, subject }) => [level, subject])).toEqual([
    ['ok', 'facts'],
    ['ok', 'facts'],
    ['ok', 'chain 1, facts'],
  ])
  expect(readdirSync(facts.folder)).toEqual(['1'])
  const folder = join(facts.folder, 'none')
  await checkFacts({ facts: { ...facts, folder }, chains: [] })
  expect(existsSync(folder)).toBe(false)
  mkdirSync(folder)
  await checkFacts({ facts: { ...facts, folder }, chains: [] })
  expect(readdirSync(folder)).toEqual([])
})

it.each([
  ['another number of blocks', { blocksPerChunk: 7 }, /have 7 blocks per file, not 10: set facts/],
  ['another version', { version: 9 }, /have version 9/],
  ['another genesis', { genesisHash: '0x12' }, /of another chain \(genesis 0x12/],
  ['other settings', { ledger: { startBlock: 5 } }, /other settings for what is indexed/],
])('reports facts of %s', async (_, changes, message) => {
  const { facts, chain, change } = await startFacts()
  change(changes)
  expect((await checkFacts({ facts, chains: [chain] })).at(-1)).toMatchObject({
    level: 'error',
    subject: 'chain 1, facts',
    message: expect.stringMatching(message) as string,
  })
})

it.each(['damaged', '', '{}', 'null'])('names a description with the text "%s"', async (text) => {
  const { facts, chain, description } = await startFacts()
  writeFileSync(description, text)
  const message = /1\/facts\.json is not valid: restore it, or delete .*\/facts\/1 to fetch/
  const [, , result] = await checkFacts({ facts, chains: [chain] })
  expect(result?.message).toMatch(message)
  await expect(runFactsCommand({ facts }, { chainId: 1, verify: false })).rejects.toThrow(
    expect.objectContaining({
      name: 'IndexingError',
      message: expect.stringMatching(message) as string,
    }),
  )
})

it('states what to do about a folder that is a file', async () => {
  const { facts, description } = await startFacts()
  const [result] = await checkFacts({ facts: { ...facts, folder: description }, chains: [] })
  expect(result).toMatchObject({
    level: 'error',
    message: expect.stringMatching(
      /facts\.json cannot be used \(ENOTDIR.*\): .* choose another facts\.folder$/,
    ) as string,
  })
})

it('reports that DuckDB is not installed', async () => {
  const { facts } = await startFacts()
  vi.doMock('@duckdb/node-api', () => {
    throw new Error('not installed')
  })
  onTestFinished(() => vi.doUnmock('@duckdb/node-api'))
  const results = await checkFacts({ facts, chains: [] })
  expect(results.at(-1)).toMatchObject({
    level: 'error',
    message: expect.stringContaining('npm install @duckdb/node-api') as string,
  })
})
