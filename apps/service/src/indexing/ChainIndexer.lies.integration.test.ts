import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { type DevnetChain, devnetOdd, startChain } from '@headwater/devnet'
import { createTestDatabase } from '../../test/createTestDatabase.ts'
import { emptyTables } from '../../test/describeEachStore.ts'
import { dumpTables } from '../../test/dumpTables.ts'
import { indexTestChain } from '../../test/indexTestChain.ts'
import { openMemoryStore } from '../../test/openMemoryStore.ts'
import {
  type Lie,
  type RpcLog,
  type RpcReceipt,
  startLyingNode,
} from '../../test/startLyingNode.ts'
import { testChainConfig } from '../../test/testChainConfig.ts'
import type { ChainConfig } from '../config/Config.ts'
import type { ViolationKind } from '../rpc/verify/Violation.ts'
import { openStore } from '../store/openStore.ts'
import type { Store } from '../store/Store.ts'

// Blocks above are fetched by hash without receipts, the others as ranges.
const finalityDepth = 10
const postgres = inject('postgres')

let chain: DevnetChain
let liar: Awaited<ReturnType<typeof startLyingNode>>
let honest: Awaited<ReturnType<typeof startLyingNode>>
/** PostgreSQL where it is available: lies are found before anything is stored, so that one kind of store is enough. */
let store: Store
let head: string
/** The tables of an honest node alone. */
let expected: Record<string, string[]>
let dropDatabase = async () => {}

beforeAll(async () => {
  chain = await startChain({ scenario: devnetOdd, seed: 'lies', days: 0.05, live: false })
  ;[liar, honest] = await Promise.all([startLyingNode(chain.rpcUrl), startLyingNode(chain.rpcUrl)])
  if ('missing' in postgres) {
    store = await openMemoryStore()
  } else {
    const { url, drop } = await createTestDatabase()
    dropDatabase = drop
    store = await openStore({ databaseUrl: url })
  }
  head = (await chain.rpc.call<{ hash: string }>('eth_getBlockByNumber', 'latest', false)).hash
  const indexer = indexTestChain(store, configOf([honest.url]))
  await indexer.reaches(head)
  await indexer.stop()
  expected = await dumpTables(store)
})
afterAll(async () => {
  await store.close()
  await Promise.all([dropDatabase(), liar.close(), honest.close(), chain.stop()])
})

/** Without recomputed hashes, which detect most of these lies, too. */
const configOf = (rpcUrls: ChainConfig['rpcUrls']) =>
  testChainConfig(chain.chainId, {
    ...chain.config,
    rpcUrls,
    finalityDepth,
    pollIntervalMs: 20,
    verify: 'basic',
  })

/** Whether a log has an entry of the bloom filter that the others of the block do not have. */
function isUnique(log: RpcLog, logs: readonly RpcLog[]): boolean {
  const others = new Set(
    logs.flatMap((other) => (other === log ? [] : [other.address, ...other.topics])),
  )
  return [log.address, ...log.topics].some((entry) => !others.has(entry))
}

const renumber = (logs: readonly RpcLog[], first = 0) =>
  logs.map((log, index) => ({ ...log, logIndex: `0x${(first + index).toString(16)}` }))

/** Applies a lie about the logs of a block to its receipts. */
function inReceipts(change: NonNullable<Lie['logs']>): NonNullable<Lie['receipts']> {
  return (receipts) => {
    const logs = change(receipts.flatMap((receipt) => receipt.logs))
    return (
      logs &&
      receipts.map((receipt) => ({
        ...receipt,
        logs: logs.filter(({ transactionHash }) => transactionHash === receipt.transactionHash),
      }))
    )
  }
}

const ofLogs = (change: NonNullable<Lie['logs']>): Lie => ({
  logs: change,
  receipts: inReceipts(change),
})

/** Swaps the first two receipts that have logs. */
function swapReceipts(receipts: readonly RpcReceipt[]): RpcReceipt[] | undefined {
  const [first, second] = receipts.filter(({ logs }) => logs.length > 0)
  return (
    first &&
    second &&
    receipts.map((each) => (each === first ? second : each === second ? first : each))
  )
}

const lies: Record<string, Lie> = {
  'one log': ofLogs((logs) => {
    const omitted = logs.find((log) => log !== logs.at(-1)) ?? logs[0]
    return logs.filter((log) => log !== omitted)
  }),
  'one log, with the others numbered again': ofLogs((logs) => {
    const omitted = logs.find((log) => isUnique(log, logs))
    return omitted && renumber(logs.filter((log) => log !== omitted))
  }),
  'the second half of the logs of a block': ofLogs((logs) => {
    const kept = Math.floor(logs.length / 2)
    return logs.slice(kept).some((log) => isUnique(log, logs)) ? logs.slice(0, kept) : undefined
  }),
  'all logs of a block': ofLogs(() => []),
  'the second of two receipts, in place of which it repeats the first': {
    receipts: (receipts) => receipts[1] && [receipts[0] as RpcReceipt, ...receipts.slice(0, -1)],
    logs: ([first, second, ...rest]) =>
      first && second && isUnique(second, [first, ...rest])
        ? renumber([first, first, ...rest])
        : undefined,
  },
  'the order of the transactions': {
    receipts: swapReceipts,
    logs: (logs) => {
      const first = logs[0]
      const last = logs.at(-1)
      return first && last && first.transactionHash !== last.transactionHash
        ? renumber([last, ...logs.slice(1, -1), first])
        : undefined
    },
  },
}

/** Starts an indexer on the empty store, and fails when it does not reach the head. */
async function withIndexer(
  rpcUrls: ChainConfig['rpcUrls'],
  run: (indexer: ReturnType<typeof indexTestChain>) => Promise<void>,
): Promise<void> {
  await emptyTables(store)
  liar.lies = 0
  const indexer = indexTestChain(store, configOf(rpcUrls))
  try {
    await run(indexer)
    await indexer.reaches(head)
  } finally {
    liar.lie = undefined
    await indexer.stop()
  }
  expect(await dumpTables(store)).toEqual(expected)
}

const countViolations = (indexer: ReturnType<typeof indexTestChain>) =>
  indexer.node
    .stats()
    .map(({ violations }) => [...violations.values()].reduce((sum, count) => sum + count, 0))

describe.each([
  ['eth_getBlockReceipts', true],
  ['eth_getLogs', false],
])('a node that omits or changes, by %s', (_, blockReceipts) => {
  const nodesOf = (...nodes: { readonly url: string }[]) =>
    nodes.map(({ url }) => ({ url, blockReceipts }))

  it.each(Object.entries(lies))('%s: alone, nothing of it is stored', async (_, lie) => {
    liar.lie = lie
    await withIndexer(nodesOf(liar), async (indexer) => {
      await expect.poll(() => countViolations(indexer)[0]).toBeGreaterThan(1)
      expect(liar.lies).toBeGreaterThan(1)
      // What was stored before is compared with the chain as well.
      liar.lie = undefined
    })
  })

  it.each(Object.entries(lies))('%s: the next node is used', async (_, lie) => {
    liar.lie = lie
    await withIndexer(nodesOf(liar, honest), async (indexer) => {
      await indexer.reaches(head)
      expect(liar.lies).toBeGreaterThan(0)
      const [ofLiar, ofHonest] = countViolations(indexer)
      expect(ofLiar).toBeGreaterThan(0)
      expect(ofHonest).toBe(0)
      expect(indexer.node.stats().map(({ isCoolingDown }) => isCoolingDown)).toEqual([true, false])
    })
  })
})

describe('a node that truncates long results of eth_getLogs without an error', () => {
  it('returns the rest by block hash', async () => {
    // More than the logs of any block, fewer than those of the final blocks.
    liar.lie = { maxLogs: 160 }
    const url = { url: liar.url, blockReceipts: false }
    await withIndexer([url], async (indexer) => {
      await indexer.reaches(head)
      expect(liar.lies).toBeGreaterThan(0)
      expect(indexer.node.stats()[0]?.violations.get('log_range')).toBeGreaterThan(0)
    })
  })
})

describe('a node with a wrong block', () => {
  const wrongHash = `0x${'9'.repeat(64)}`
  const blocks: [string, Lie['block'], ViolationKind][] = [
    ['hash', ({ number, ...block }) => ({ ...block, number, hash: wrongHash }), 'parent_hash'],
    ['parentHash', (block) => ({ ...block, parentHash: wrongHash }), 'parent_hash'],
    ['logsBloom', (block) => ({ ...block, logsBloom: `0x${'7'.repeat(512)}` }), 'logs_bloom'],
    ['transactions', (block) => ({ ...block, transactions: [wrongHash] }), 'transactions'],
  ]

  describe.each(blocks)('(%s)', (_, change, kind) => {
    it.each([
      ['eth_getBlockReceipts', true],
      ['eth_getLogs', false],
    ])('does not stop the chain while another node is right, by %s', async (_, blockReceipts) => {
      liar.lie = {
        block: (block) => (Number(block['number']) === 12 ? change?.(block) : undefined),
      }
      const nodes = [liar, honest].map(({ url }) => ({ url, blockReceipts }))
      await withIndexer(nodes, async (indexer) => {
        await indexer.reaches(head)
        const [ofLiar, ofHonest] = indexer.node.stats().map(({ violations }) => violations)
        expect(ofLiar?.get(kind)).toBeGreaterThan(0)
        expect([...(ofHonest ?? [])]).toEqual([])
      })
    })
  })
})
