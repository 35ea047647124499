import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { createTestFeed, walletsOf } from '../../../test/createTestFeed.ts'
import { testChainConfig } from '../../../test/testChainConfig.ts'
import { ChangeFeed } from './ChangeFeed.ts'

const address = (number: number) => `0x${number.toString(16).padStart(40, '0')}`

it('merges what a slow client has not read, within the memory of its subjects', async () => {
  const { feed, change } = createTestFeed()
  const wallets = [1, 2, 3].map(address)
  const subscription = await feed.open(1, walletsOf(...wallets), undefined)
  for (let block = 0; block < 1000; block++) {
    change([wallets[block % 2]!, address(1000 + block)])
  }
  const merged = subscription.take()
  expect(merged).toMatchObject({
    event: { type: 'change', block_number: 1001, wallets: wallets.slice(0, 2) },
    id: '7:1001:0x1001:',
    isInTime: false,
  })
  expect(subscription.take()).toBeUndefined()
  change([wallets[2]!])
  expect(subscription.take()).toMatchObject({ event: { wallets: [wallets[2]] }, isInTime: true })
})

it('limits the subscriptions of a key and of the process', async () => {
  const perKey = { subscriptions: 2, wallets: 4 }
  const { feed } = createTestFeed({ perKey, perProcess: { subscriptions: 3, wallets: 5 } })
  const open = async (key: number, ...wallets: number[]) =>
    await feed.open(key, walletsOf(...[1, ...wallets].map(address)), undefined)
  const first = await open(1)
  await open(1)
  await expect(open(1)).rejects.toMatchObject({ status: 429, code: 'TOO_MANY_SUBSCRIPTIONS' })
  await open(2)
  await expect(open(2)).rejects.toMatchObject({ status: 503, code: 'SERVICE_BUSY' })
  feed.close(1, first)
  expect(feed.count).toBe(2)
  // Native balances of wallets are read at each head.
  await expect(open(1, 2, 3, 4)).rejects.toMatchObject({ status: 429 })
  await expect(open(3, 2, 3, 4)).rejects.toMatchObject({ status: 503 })
  await open(1, 2, 3)
  expect(feed.count).toBe(3)
})

it('rejects a client whose native balances are being read when the process ends', async () => {
  const { feed } = createTestFeed()
  const opening = feed.open(1, walletsOf(address(1)), undefined)
  while (feed.count === 0) {
    await Promise.resolve()
  }
  feed.closeAll()
  await expect(opening).rejects.toMatchObject({ status: 503, code: 'SERVICE_BUSY' })
  expect(feed.count).toBe(0)
})

it('rejects a client that resumes while the store is unavailable, and keeps its position', async () => {
  const { feed, change, setAvailable } = createTestFeed()
  change([address(1)])
  setAvailable(false)
  await expect(feed.open(1, walletsOf(address(1)), '7:1:0x1:')).rejects.toMatchObject({
    status: 503,
    code: 'STORE_UNAVAILABLE',
  })
  expect(feed.count).toBe(0)
  const opened = await feed.open(1, walletsOf(address(1)), undefined)
  expect(opened.take()).toBeUndefined()
})

it('reports a native balance to a client that opened without it once another one reads it', async () => {
  const { feed, natives } = createTestFeed()
  const subscription = await feed.open(1, walletsOf(address(1)), undefined)
  natives.set(address(1), 5n)
  await feed.open(1, walletsOf(address(1)), undefined)
  expect(subscription.take()).toMatchObject({ event: { wallets: [address(1)] } })
})

it('does not count a native balance that was reported before as another change', async () => {
  const { feed, change, natives } = createTestFeed()
  natives.set(address(1), 5n)
  const subscription = await feed.open(1, walletsOf(address(1), address(2)), undefined)
  change([address(1)])
  expect(subscription.take()).toMatchObject({ event: { wallets: [address(1)] } })
  const changes = { block: { number: 2, hash: '0x2' }, version: 2 }
  subscription.addNatives(7, { ...changes, wallets: [address(2)] }, 2)
  subscription.addNatives(7, { ...changes, wallets: [address(1)] }, 2)
  expect(subscription.take()).toMatchObject({ event: { wallets: [address(2)] }, isInTime: true })
})

it('reports a native balance that a reorg changed, also to a client that has not read the reorg yet', async () => {
  const { feed, change, natives } = createTestFeed()
  const wallets = [address(1)]
  natives.set(address(1), 5n)
  const subscription = await feed.open(1, walletsOf(...wallets), undefined)
  natives.set(address(1), 6n)
  change([])
  change([])
  await setImmediate()
  expect(subscription.take()).toMatchObject({ event: { block_number: 3, wallets } })
  // It has its former balance on the new branch, of which there is no log.
  natives.set(address(1), 5n)
  change([], 1)
  await setImmediate()
  expect(subscription.take()).toMatchObject({ event: { type: 'reorg', wallets } })
})

it('states no position of a chain before the change that leads to it is delivered', async () => {
  const stateOf = (chainId: number, version: number) => ({
    chainId,
    sequence: version,
    metadataVersion: 0,
    changeVersion: version,
    confirmedAt: Infinity,
    stoppedReason: undefined,
    isStopped: false,
    hold: undefined,
    block: { number: version, hash: `0x${version}`, time: 0 },
  })
  const chainIds = [7, 8]
  let version = 1
  const feed = new ChangeFeed(
    {
      config: {
        chains: chainIds.map((id) => testChainConfig(id)),
        defaultRate: { requests: 1, seconds: 1 },
      },
      watch: {
        get: (chainId: number) => stateOf(chainId, version),
        refresh: () => Promise.resolve(),
      } as never,
      stores: {} as never,
    },
    { read: () => Promise.resolve(new Map()) },
  )
  const holders = {
    wallets: new Set<string>(),
    tokens: new Set<string>(),
    holders: new Set([address(1)]),
  }
  const followed = new Map(chainIds.map((id) => [id, holders]))
  const subscription = await feed.open(1, followed, undefined)
  const ids: unknown[] = []
  subscription.onReady = () => ids.push(subscription.take()?.id)
  // The states of both chains are known before the update of each is published.
  version = 2
  for (const chainId of chainIds) {
    const state = stateOf(chainId, version)
    const keys = { holders: [], ledgers: [address(1)], contracts: [], pooled: [] }
    const { block } = state
    const change = {
      version,
      block,
      metadataVersions: [0, 0],
      ancestor: undefined,
      deltas: [],
    } as const
    const update = { ...state, before: undefined, changes: [{ ...change, keys }], keys }
    feed.publish(update, 'all')
  }
  expect(ids).toEqual(['7:2:0x2:,8:1:0x1:', '7:2:0x2:,8:2:0x2:'])
})

it('names the followed tokens, which are priced with each block', async () => {
  const { feed } = createTestFeed()
  const tokens = new Set([address(1), 'native'])
  const followed = { wallets: new Set<string>(), tokens, holders: new Set<string>() }
  const subscription = await feed.open(1, new Map([[7, followed]]), undefined)
  expect(feed.getTokens(7)).toEqual([address(1)])
  feed.close(1, subscription)
  expect(feed.getTokens(7)).toEqual([])
})

it('states no position of a chain before its reset is taken', async () => {
  const { feed } = createTestFeed()
  const wallets = walletsOf(address(1))
  const added = await feed.open(1, wallets, '8:3:0x3:')
  const position = added.writePosition()
  expect(position).toBe('0:0::')
  // The client was cut before it received the reset.
  const resumed = await feed.open(1, wallets, position)
  expect(resumed.take()).toMatchObject({ event: { type: 'reset' }, id: '7:1:0x1:' })
  expect(resumed.writePosition()).toBe('7:1:0x1:')
})
