import { setTimeout as delay } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { openSharedStore } from '../../test/describeEachStore.ts'
import { testAddress } from '../../test/seedChain.ts'
import { testChainConfig } from '../../test/testChainConfig.ts'
import type { SearchLimits } from '../config/Config.ts'
import { topics } from '../indexing/decode/topics.ts'
import { NodeError } from '../rpc/transport/NodeError.ts'
import type { Database } from '../store/Database.ts'
import { fromHex, toHex } from '../store/hex.ts'
import { deleteChain } from '../store/partitions.ts'
import type { Findings } from './Findings.ts'
import { deleteExpired } from './SearchExpiry.ts'
import { SearchLimitError } from './SearchLimitError.ts'
import type { TransferSource } from './TransferReader.ts'
import { WalletDiscovery } from './WalletDiscovery.ts'

const wallet = testAddress(1)
const headAt = (number: number) => ({ number, hash: `0x${number}` })
/** One transfer to the wallet per thousand blocks, each of another token. */
const tokenAt = (block: number) => testAddress(block)

const toWord = (value: string | number) =>
  `0x${(typeof value === 'number' ? value.toString(16) : value.slice(2)).padStart(64, '0')}`

/** Returns at most `maxRange` blocks per request, and no times of blocks with logs. */
function startNode(maxRange: number): TransferSource {
  return {
    getBlockTimes: (numbers) =>
      Promise.resolve(new Map(numbers.map((number) => [number, 12 * number]))),
    getNewestLogs: async (_filters, { from, to }) => {
      const first = Math.max(from, to - maxRange + 1)
      const blocks = Array.from({ length: to - first + 1 }, (_, index) => first + index)
      const logs = blocks
        .filter((block) => block % 1_000 === 0)
        .map((block) => ({
          blockNumber: block,
          blockHash: toWord(block),
          logIndex: 0,
          time: undefined,
          transactionHash: toWord(0),
          address: tokenAt(block),
          topics: [topics.transfer, toWord(2), toWord(wallet)],
          data: toWord(1),
        }))
      return await Promise.resolve({ logs, from: first })
    },
  }
}

const finalBlock = {
  getNumber: (head: number) => head - 10,
  isCurrent: () => Promise.resolve(true),
}
const trail = { excludes: () => false, excludesBefore: () => false, checkLogs: () => {} }

function createDiscovery(
  db: Kysely<Database>,
  node: TransferSource,
  searches: Partial<SearchLimits> = {},
) {
  const limits = { ...testChainConfig(1).searches, ...searches }
  const chain = testChainConfig(1, { startBlock: 1, finalityDepth: 10, searches: limits })
  return new WalletDiscovery({
    chain,
    node,
    trail,
    finalBlock,
    db,
    logger: { warn: () => {} },
  })
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
  await first.find(wallet, headAt(1_500), 1)
  isDown = false
  await first.find(wallet, headAt(2_500), 1)
  await first.close()
  const second = createDiscovery(db, startNode(10_000))
  const { tokens, share } = await second.find(wallet, headAt(2_500), 1)
  await second.close()
  expect([[...tokens].sort(), share]).toEqual([[tokenAt(1_000), tokenAt(2_000)], 1])
})

it('has the tokens of blocks that became final since the last response', async () => {
  const { db } = await openSharedStore('pglite')
  const discovery = createDiscovery(db, startNode(700))
  await discovery.find(wallet, headAt(1_005), 1)
  const later = await discovery.find(wallet, headAt(5_500), 1)
  await discovery.close()
  const tokens = [1_000, 2_000, 3_000, 4_000, 5_000].map(tokenAt)
  expect([[...later.tokens].sort(), later.knownSinceBlock, later.share]).toEqual([tokens, 1, 1])
})

it('searches a wallet in one process, which the others learn from', async () => {
  const { db } = await openSharedStore('pglite')
  const searched: [string, number][] = []
  const create = (name: string, maxRange: number) => {
    const { getNewestLogs, getBlockTimes } = startNode(maxRange)
    return createDiscovery(db, {
      getBlockTimes,
      getNewestLogs: async (filters, range, options) => {
        if (range.to <= 20_000) {
          searched.push([name, range.to])
          await delay(5)
        }
        return await getNewestLogs(filters, range, options)
      },
    })
  }
  const first = create('first', 500)
  const second = create('second', 500)
  const find = async (discovery: WalletDiscovery) => {
    const { tokens, share } = await discovery.find(wallet, headAt(20_010), 1)
    return { count: tokens.size, share }
  }
  await first.find(wallet, headAt(20_010), 1)
  for (const discovery of [second, first]) {
    await expect.poll(() => find(discovery)).toEqual({ count: 20, share: 1 })
  }
  await Promise.all([first.close(), second.close()])
  expect(new Set(searched.map(([name]) => name))).toEqual(new Set(['first']))
  expect(searched).toHaveLength(40)

  // What one knows is not deleted by another one that knows less.
  const third = create('third', 500)
  expect(await find(third)).toEqual({ count: 20, share: 1 })
  await third.close()
})

it('skips a block of which no node returns all logs, and states that it is unknown', async () => {
  const { db } = await openSharedStore('pglite')
  const { getNewestLogs, getBlockTimes } = startNode(1_000)
  const dense = 2_500
  const node: TransferSource = {
    getBlockTimes,
    getNewestLogs: async (filters, range, options) => {
      if (range.to === dense) {
        const message = 'query returned more than 10000 results'
        throw new NodeError(message, { kind: 'rejected', retryable: false, mayExceedLimit: true })
      }
      const first = Math.max(range.from, range.to - 999)
      const from = first <= dense && dense < range.to ? dense + 1 : first
      const found = await getNewestLogs(filters, { ...range, from }, options)
      return { ...found, from }
    },
  }
  const discovery = createDiscovery(db, node)
  const find = async () => await discovery.find(wallet, headAt(5_010), 1)
  await expect.poll(async () => (await find()).tokens.size).toBe(5)
  const { share, knownSinceBlock } = await find()
  await discovery.close()
  expect([share < 1, knownSinceBlock]).toEqual([true, dense + 1])
})

it('searches the latest blocks once more, as a node behind a load balancer may have lagged', async () => {
  const { db } = await openSharedStore('pglite')
  const { getNewestLogs, getBlockTimes } = startNode(10_000)
  let isLagging = true
  const searched: number[] = []
  const node: TransferSource = {
    getBlockTimes,
    getNewestLogs: async (filters, range) => {
      const found = await getNewestLogs(filters, range)
      searched.push(range.to)
      return isLagging ? { ...found, logs: [] } : found
    },
  }
  const discovery = new WalletDiscovery({
    chain: testChainConfig(1, { startBlock: 1, finalityDepth: 10 }),
    trail: { ...trail, excludes: () => true },
    node,
    finalBlock,
    db,
    logger: { warn: () => {} },
  })
  const countTokens = async (head: number) =>
    (await discovery.find(wallet, headAt(head), 1)).tokens.size
  expect(await countTokens(1_005)).toBe(0)
  isLagging = false
  expect(await countTokens(1_006)).toBe(0)
  const start = performance.now()
  const now = vi.spyOn(performance, 'now').mockImplementation(() => start + 60_000)
  expect(await countTokens(1_007)).toBe(1)
  const { length } = searched
  now.mockImplementation(() => start + 120_000)
  expect([await countTokens(1_008), searched.length]).toEqual([1, length])
  now.mockRestore()
  await discovery.close()
})

it('searches the latest blocks of a head again when an older search ends below them', async () => {
  const { db } = await openSharedStore('pglite')
  const { getNewestLogs, getBlockTimes } = startNode(10_000)
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const discovery = createDiscovery(db, {
    getBlockTimes,
    getNewestLogs: async (filters, range) => {
      // The search for the history also has the topics of what the wallet sent.
      if (filters.length > 2) {
        await released
      }
      return await getNewestLogs(filters, range)
    },
  })
  const [, partial] = await Promise.all([
    discovery.find(wallet, headAt(1_000), 1),
    discovery.find(wallet, headAt(1_100), 1),
  ])
  expect(partial.knownSinceBlock).toBe(1_091)
  release()
  await expect.poll(async () => (await discovery.find(wallet, headAt(1_100), 1)).share).toBe(1)
  const { tokens } = await discovery.find(wallet, headAt(1_100), 1)
  await discovery.close()
  expect([...tokens]).toEqual([tokenAt(1_000)])
})

it('keeps the latest transfers of NFTs in and out, with their times, also after a restart', async () => {
  const { db } = await openSharedStore('pglite')
  const art = testAddress(0x721)
  const items = testAddress(0x1155)
  const log = (blockNumber: number, address: string, words: readonly string[], data = '0x') => ({
    blockNumber,
    blockHash: toWord(blockNumber),
    logIndex: 0,
    time: undefined,
    transactionHash: toWord(0),
    address,
    topics: words,
    data,
  })
  const sent = (block: number, from: string | number, to: string | number) =>
    log(block, art, [topics.transfer, toWord(from), toWord(to), toWord(9)])
  const single = [topics.transferSingle, toWord(7), toWord(2), toWord(wallet)]
  const all = [
    sent(1_100, 2, wallet),
    sent(1_200, wallet, 2),
    sent(1_900, 2, wallet),
    log(1_300, items, single, `${toWord(3)}${toWord(40).slice(2)}`),
    // A transfer of nothing, and one with an indexed amount to another wallet.
    log(1_400, items, single, `${toWord(4)}${toWord(0).slice(2)}`),
    sent(1_950, 2, 3),
  ]
  const node: TransferSource = {
    ...startNode(200),
    getNewestLogs: async (_filters, { from, to }) => {
      const first = Math.max(from, to - 199)
      const logs = all.filter(({ blockNumber: block }) => block >= first && block <= to)
      return await Promise.resolve({ logs, from: first })
    },
  }
  const expected = [
    {
      contract: art,
      tokenId: 9n,
      standard: 721,
      lastIn: { number: 1_900, time: 12 * 1_900 },
      lastOut: 1_200,
    },
    {
      contract: items,
      tokenId: 3n,
      standard: 1155,
      lastIn: { number: 1_300, time: 12 * 1_300 },
      lastOut: undefined,
    },
  ]
  for (const head of [1_905, 1_905, 2_500]) {
    const discovery = createDiscovery(db, node)
    const { collectibles, share } = await discovery.find(wallet, headAt(head), 1)
    await discovery.close()
    expect([share, [...collectibles.values()].sort((a, b) => a.standard - b.standard)]).toEqual([
      1,
      expected,
    ])
  }
})

it('does not search for logs that the bloom filters of later blocks exclude', async () => {
  const { db } = await openSharedStore('pglite')
  let requests = 0
  const { getNewestLogs, getBlockTimes } = startNode(10_000)
  const excluded = new Set<string>()
  const discovery = new WalletDiscovery({
    chain: testChainConfig(1, { startBlock: 1, finalityDepth: 10 }),
    trail: { ...trail, excludes: (_after, upTo) => excluded.has(upTo) },
    node: {
      getBlockTimes,
      getNewestLogs: async (filters, range) => {
        requests++
        return await getNewestLogs(filters, range)
      },
    },
    finalBlock,
    db,
    logger: { warn: () => {} },
  })
  await discovery.find(wallet, headAt(1_005), 1)
  requests = 0
  excluded.add(headAt(1_006).hash)
  const { tokens, share } = await discovery.find(wallet, headAt(1_006), 1)
  expect([requests, [...tokens], share]).toEqual([0, [tokenAt(1_000)], 1])
  await discovery.find(wallet, headAt(1_007), 1)
  expect(requests).toBe(1)
  await discovery.close()
})

it('finds and keeps tokens and NFTs of wallets that a contract spams with NFTs', async () => {
  const { db } = await openSharedStore('pglite')
  const art = testAddress(0x721)
  const spam = testAddress(0x2309)
  const base = { logIndex: 0, time: 1, transactionHash: toWord(0) }
  const spamAt = (block: number, first: number) => ({
    ...base,
    blockNumber: block,
    blockHash: toWord(block),
    address: spam,
    logIndex: first,
    topics: [topics.consecutiveTransfer, toWord(first), toWord(0), toWord(wallet)],
    data: toWord(first + 4_999),
  })
  const artAt = (block: number) => ({
    ...base,
    blockNumber: block,
    blockHash: toWord(block),
    address: art,
    data: '0x',
    topics: [topics.transfer, toWord(2), toWord(wallet), toWord(block)],
  })
  const extra = [
    ...[artAt(2_500), artAt(9_995), artAt(10_200)],
    ...[0, 5_000, 10_000].map((first) => spamAt(8_500, first)),
    ...[15_000, 20_000].map((first) => spamAt(10_100, first)),
  ]
  const tokens = startNode(1_000)
  const node: TransferSource = {
    ...tokens,
    getNewestLogs: async (filters, range, options) => {
      const { from, logs } = await tokens.getNewestLogs(filters, range, options)
      const found = extra.filter(({ blockNumber: at }) => at >= from && at <= range.to)
      return { from, logs: [...logs, ...found] }
    },
  }
  const idsOf = ({ collectibles }: Findings) =>
    [...collectibles.values()].filter(({ contract }) => contract === art).map((nft) => nft.tokenId)
  for (const [head, ids] of [
    [10_000, [2_500n, 9_995n]],
    [10_600, [2_500n, 9_995n, 10_200n]],
    [10_601, [2_500n, 9_995n, 10_200n]],
  ] as const) {
    const discovery = createDiscovery(db, node)
    const find = () => discovery.find(wallet, headAt(head), 1)
    await expect.poll(async () => (await find()).share).toBe(1)
    const found = await find()
    await discovery.close()
    expect([found.tokens.size, idsOf(found).sort((a, b) => Number(a - b))]).toEqual([10, ids])
    expect(found.collectibles.size).toBeLessThanOrEqual(10_001)
  }
  const { rows } = await sql`select from wallet_collectibles`.execute(db)
  expect(rows).toHaveLength(10_000)
})

it('stores all that was found again after a reset of the chain', async () => {
  const { db } = await openSharedStore('pglite')
  const first = createDiscovery(db, startNode(10_000))
  await first.find(wallet, headAt(3_500), 1)
  await expect.poll(async () => (await first.find(wallet, headAt(3_500), 1)).share).toBe(1)
  const stored = async () => {
    const { rows } = await sql`select from wallet_ranges`.execute(db)
    return rows.length
  }
  await expect.poll(stored).toBe(1)
  await deleteChain(db, 1)
  await first.find(wallet, headAt(4_500), 1)
  await expect.poll(stored).toBe(1)
  await first.close()
  const second = createDiscovery(db, startNode(10_000))
  const { tokens, share } = await second.find(wallet, headAt(4_500), 1)
  await second.close()
  const expected = [1_000, 2_000, 3_000, 4_000].map(tokenAt)
  expect([[...tokens].sort(), share]).toEqual([expected, 1])
})

/** Returns nothing until it is released, with the wallets of the searches in their order. */
function startHeldNode() {
  const released = Promise.withResolvers<void>()
  const searched: string[] = []
  const node: TransferSource = {
    getBlockTimes: () => Promise.resolve(new Map()),
    getNewestLogs: async (filters, { from, to, hash }) => {
      if (hash === undefined) {
        searched.push(`0x${filters[0]?.at(-1)?.[0]?.slice(26)}`)
        await released.promise
      }
      return { logs: [], from: Math.max(from, to - 999) }
    },
  }
  return { node, searched, release: () => released.resolve() }
}

describe('searches of API keys', () => {
  it('are limited in number, and take turns', async () => {
    const { db } = await openSharedStore('pglite')
    const { node, searched, release } = startHeldNode()
    const discovery = createDiscovery(db, node, { walletsPerKey: 3 })
    const find = (number: number, key: number) =>
      discovery.find(testAddress(number), headAt(900), key)
    const found = [11, 12, 13].map((number) => find(number, 1))
    await expect.poll(() => searched.length).toBe(2)
    await expect
      .poll(() => find(14, 1).catch((error: unknown) => error))
      .toBeInstanceOf(SearchLimitError)
    // Wallets that are searched are returned, and remain searches of the key that started them.
    found.push(...[11, 12, 13, 21].map((number) => find(number, 2)))
    await delay(50)
    await expect(find(14, 1)).rejects.toBeInstanceOf(SearchLimitError)
    release()
    await Promise.all(found)
    await expect.poll(() => searched.length).toBe(4)
    expect(searched.slice(2).sort()).toEqual([testAddress(13), testAddress(21)].sort())
    const { share } = await find(14, 1)
    await discovery.close()
    expect(share).toBe(1)
  })

  it('pause when no client requests the wallet, and continue where they were', async () => {
    const { db } = await openSharedStore('pglite')
    const realNow = performance.now.bind(performance)
    let skippedMs = 0
    vi.spyOn(performance, 'now').mockImplementation(() => realNow() + skippedMs)
    onTestFinished(() => void vi.restoreAllMocks())
    const searched: [string, number][] = []
    const create = (name: string) => {
      const { getNewestLogs, getBlockTimes } = startNode(1_000)
      const node: TransferSource = {
        getBlockTimes,
        getNewestLogs: async (filters, range) => {
          if (range.hash === undefined) {
            searched.push([name, range.to])
            // The first one takes longer than the pause.
            skippedMs = 120_000
          }
          return await getNewestLogs(filters, range)
        },
      }
      return createDiscovery(db, node, { pauseAfterMinutes: 1 })
    }
    const first = create('first')
    const second = create('second')
    await first.find(wallet, headAt(5_010), 1)
    await expect.poll(() => searched.length).toBe(1)
    // It searches as soon as the first one has paused.
    await expect.poll(async () => (await second.find(wallet, headAt(5_010), 1)).share).toBe(1)
    await Promise.all([first.close(), second.close()])
    expect(searched).toEqual([
      ['first', 5_000],
      ['second', 4_000],
      ['second', 3_000],
      ['second', 2_000],
      ['second', 1_000],
    ])
  })
})

it('deletes what was requested the longest ago, which is searched again when it is requested', async () => {
  const { db } = await openSharedStore('pglite')
  const wallets = [1, 2, 3].map(testAddress)
  const search = async () => {
    const discovery = createDiscovery(db, startNode(10_000))
    for (const address of wallets) {
      await discovery.find(address, headAt(3_500), 1)
    }
    await discovery.close()
  }
  const readWallets = async () => {
    const { rows } = await sql<{ wallet: Uint8Array }>`
      select wallet from wallet_ranges order by wallet`.execute(db)
    return rows.map(({ wallet: address }) => toHex(address))
  }
  const expire = async (limits: Partial<SearchLimits>) => {
    const searches = { ...testChainConfig(1).searches, ...limits }
    await deleteExpired(db, { id: 1, searches })
    return await readWallets()
  }
  await search()
  for (const [index, address] of wallets.entries()) {
    await sql`
      update searched_wallets set requested_at = now() - make_interval(days => ${10 * index}::int)
      where wallet = ${fromHex(address)}::bytea`.execute(db)
  }
  expect(await expire({})).toEqual(wallets)
  expect(await expire({ expireAfterDays: 15 })).toEqual(wallets.slice(0, 2))
  // A range of blocks and three tokens.
  expect(await expire({ maxRows: 5 })).toEqual(wallets.slice(0, 2))
  expect(await expire({ maxRows: 4 })).toEqual(wallets.slice(0, 1))
  await search()
  expect(await readWallets()).toEqual(wallets)
})
