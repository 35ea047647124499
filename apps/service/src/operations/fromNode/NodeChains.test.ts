import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { pino } from 'pino'
import { expect, it, onTestFinished, vi } from 'vitest'
import { createTestMedia } from '../../../test/createTestMedia.ts'
import { FakeChain } from '../../../test/FakeChain.ts'
import { testAddress } from '../../../test/seedChain.ts'
import { startFakeNode } from '../../../test/startFakeNode.ts'
import { testChainConfig } from '../../../test/testChainConfig.ts'
import { SearchLimitError } from '../../discovery/SearchLimitError.ts'
import { ChainNode } from '../../rpc/ChainNode.ts'
import type { Database } from '../../store/Database.ts'
import { NodeChains } from './NodeChains.ts'

const chains = [1, 2].map((id) =>
  testChainConfig(id, { history: 'node', ...(id === 1 && { pollIntervalMs: 60 }) }),
)

async function createChains(chain = new FakeChain()) {
  // Nothing listens there.
  const pool = new pg.Pool({ host: '127.0.0.1', port: 1 })
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) })
  const fake = await startFakeNode(chain)
  const { tokenLists, readDocument: readUri } = createTestMedia(chains)
  const logger = pino({ level: 'silent' })
  const nodeChains = new NodeChains(
    chains.map((config) => ({
      chain: config,
      node: new ChainNode([fake.url]),
      db,
      tokenLists,
      readUri,
      logger,
    })),
  )
  onTestFinished(async () => {
    await nodeChains.close()
    await fake.close()
    await db.destroy()
  })
  return Object.assign(nodeChains, { fake })
}

it('loads the other chains while the database of one is unavailable', async () => {
  const nodeChains = await createChains()
  const { requested, results } = await nodeChains.load(chains, async (node, chain, head) => {
    if (chain.id === 2) {
      await node.discovery.find(testAddress(1), head, 1, 'received')
    }
    return chain.id
  })
  expect(results).toEqual([1])
  expect([...requested.heads.keys()]).toEqual([1])
  expect(requested.chains.map(({ id }) => id)).toEqual([1])
  expect(requested.unavailable).toEqual([{ id: 2, name: 'chain 2', code: 'STORE_UNAVAILABLE' }])
})

it('loads the other chains when the API key has too many searches of one', async () => {
  const nodeChains = await createChains()
  const { requested, results } = await nodeChains.load(chains, async (_node, chain) =>
    chain.id === 2
      ? await Promise.reject(new SearchLimitError('walletsPerKey', 200))
      : await Promise.resolve(chain.id),
  )
  expect(results).toEqual([1])
  expect(requested.unavailable).toEqual([{ id: 2, name: 'chain 2', code: 'SEARCH_LIMIT_REACHED' }])
})

it('does not return to a lower head, unless that remains', async () => {
  const chain = new FakeChain()
  chain.mine([])
  chain.mine([])
  const nodeChains = await createChains(chain)
  const find = async () => (await nodeChains.findHead(1))?.number
  let now = performance.now()
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now)
  onTestFinished(() => clock.mockRestore())
  expect(await find()).toBe(2)
  nodeChains.fake.lag = 1
  now += 61
  expect(await find()).toBe(2)
  now += 5 * 60
  expect(await find()).toBe(1)
})

it('rejects with any other error', async () => {
  const nodeChains = await createChains()
  const failing = nodeChains.load(chains, () => Promise.reject(new TypeError('a defect')))
  await expect(failing).rejects.toThrow('a defect')
})

it('knows which NFTs a wallet does not hold until it receives them again or a reorg', async () => {
  const nodeChains = await createChains()
  const holder = testAddress(1)
  const other = testAddress(2)
  const receivedAt = (number: number) => ({
    contract: testAddress(3),
    tokenId: 7n,
    standard: 721 as const,
    lastIn: { number, time: 1 },
    lastOut: undefined,
  })
  const { results } = await nodeChains.load(chains, async (node, _chain, head) => {
    const before = receivedAt(head.number)
    const later = receivedAt(head.number + 1)
    node.collectibleReads.markNotHeld(holder, [before, later], head)
    const count = (wallet: string, at = head) =>
      node.collectibleReads.findNotHeld(wallet, [before, later], at).size
    return await Promise.resolve([
      [...node.collectibleReads.findNotHeld(holder, [before, later], head)].map(
        ({ lastIn }) => lastIn?.number,
      ),
      ...[count(other), count(holder, { ...head, hash: 'another' })],
      head.number,
    ])
  })
  expect(results).toHaveLength(2)
  for (const [notHeld, ofOther, afterReorg, head] of results) {
    expect([notHeld, ofOther, afterReorg]).toEqual([[head], 0, 0])
  }
})
