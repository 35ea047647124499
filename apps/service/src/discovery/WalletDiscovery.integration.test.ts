import type { Kysely } from 'kysely'
import { expect, it } from 'vitest'
import { openSharedStore } from '../../test/describeEachStore.ts'
import { testAddress } from '../../test/seedChain.ts'
import type { ChainNode } from '../rpc/ChainNode.ts'
import type { Database } from '../store/Database.ts'
import { WalletDiscovery } from './WalletDiscovery.ts'

const wallet = testAddress(1)
const headAt = (number: number) => ({ number, hash: `0x${number}` })
/** One transfer to the wallet per thousand blocks, each of another token. */
const tokenAt = (block: number) => testAddress(block)

/** Returns at most `maxRange` blocks per request. */
function startNode(maxRange: number): Pick<ChainNode, 'getNewestLogs'> {
  return {
    getNewestLogs: async (_filters, { from, to }) => {
      const first = Math.max(from, to - maxRange + 1)
      const blocks = Array.from({ length: to - first + 1 }, (_, index) => first + index)
      const logs = blocks
        .filter((block) => block % 1_000 === 0)
        .map((block) => ({ address: tokenAt(block), topics: ['', '', ''] }))
      return await Promise.resolve({ logs, from: first })
    },
  }
}

function createDiscovery(db: Kysely<Database>, node: Pick<ChainNode, 'getNewestLogs'>) {
  const chain = { id: 1, startBlock: 1, finalityDepth: 10 }
  return new WalletDiscovery({ chain, node, db, logger: { warn: () => {} } })
}

it('writes the tokens of a failed write together with the next ones', async () => {
  const { db } = await openSharedStore('pglite')
  let isDown = true
  const unstable = new Proxy(db, {
    get: (target, key) => {
      if (key === 'transaction' && isDown) {
        throw new Error('The store is unavailable')
      }
      const value: unknown = Reflect.get(target, key, target)
      return typeof value === 'function' ? (value.bind(target) as unknown) : value
    },
  })
  const first = createDiscovery(unstable, startNode(10_000))
  await first.find(wallet, headAt(1_500))
  isDown = false
  await first.find(wallet, headAt(2_500))
  await first.close()
  const second = createDiscovery(db, startNode(10_000))
  const { tokens, share } = await second.find(wallet, headAt(2_500))
  await second.close()
  expect([[...tokens].sort(), share]).toEqual([[tokenAt(1_000), tokenAt(2_000)], 1])
})

it('has the tokens of blocks that became final since the last response', async () => {
  const { db } = await openSharedStore('pglite')
  const discovery = createDiscovery(db, startNode(700))
  await discovery.find(wallet, headAt(1_005))
  const later = await discovery.find(wallet, headAt(5_500))
  await discovery.close()
  const tokens = [1_000, 2_000, 3_000, 4_000, 5_000].map(tokenAt)
  expect([[...later.tokens].sort(), later.knownSinceBlock, later.share]).toEqual([tokens, 1, 1])
})

it('searches the latest blocks of a head again when an older search ends below them', async () => {
  const { db } = await openSharedStore('pglite')
  const { getNewestLogs } = startNode(10_000)
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const discovery = createDiscovery(db, {
    getNewestLogs: async (filters, range) => {
      // The search for the history has two filters.
      if (filters.length > 1) {
        await released
      }
      return await getNewestLogs(filters, range)
    },
  })
  const [, partial] = await Promise.all([
    discovery.find(wallet, headAt(1_000)),
    discovery.find(wallet, headAt(1_100)),
  ])
  expect([partial.tokens.size, partial.knownSinceBlock]).toEqual([0, 1_091])
  release()
  await expect.poll(async () => (await discovery.find(wallet, headAt(1_100))).share).toBe(1)
  const { tokens } = await discovery.find(wallet, headAt(1_100))
  await discovery.close()
  expect([...tokens]).toEqual([tokenAt(1_000)])
})
