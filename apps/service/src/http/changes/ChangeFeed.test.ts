import { expect, it } from 'vitest'
import type { ChangesSubjects } from '@headwater/contract/schemas'
import { testChainConfig } from '../../../test/testChainConfig.ts'
import type { ChainState, ChainUpdate } from '../../store/ChainWatch.ts'
import { ChangeFeed } from './ChangeFeed.ts'

const chainId = 7
const address = (number: number) => `0x${number.toString(16).padStart(40, '0')}`
const subjects = (...wallets: string[]): Map<number, ChangesSubjects> =>
  new Map([[chainId, { wallets: new Set(wallets), tokens: new Set(), holders: new Set() }]])

/** A feed of one chain, which blocks change. */
function createFeed(limits = { perProcess: 3, perKey: 2 }) {
  let state: ChainState = {
    ...{ chainId, sequence: 1, metadataVersion: 0, changeVersion: 1, confirmedAt: Infinity },
    ...{ stoppedReason: undefined, isStopped: false, hold: undefined },
    block: { number: 1, hash: '0x1', time: 0 },
  }
  const feed = new ChangeFeed(
    {
      config: { chains: [testChainConfig(chainId)], defaultRate: { requests: 1, seconds: 1 } },
      watch: { get: () => state, refresh: () => Promise.resolve() } as never,
      stores: {} as never,
    },
    { nativeAmounts: () => Promise.resolve(new Map()) },
    limits,
  )
  const change = (holders: readonly string[]) => {
    const { block, metadataVersion } = state
    const version = state.changeVersion + 1
    const next = { number: block!.number + 1, hash: `0x${block!.number + 1}`, time: 0 }
    state = { ...state, block: next, changeVersion: version }
    const keys = { holders, ledgers: [], contracts: [], pooled: [] }
    const update: ChainUpdate = {
      ...{ chainId, block: next, metadataVersion, changeVersion: version, sequence: version },
      before: { block: block!, metadataVersion },
      changes: [{ version, block: next, metadataVersions: [0, 0], ancestor: undefined, keys }],
    }
    feed.setPrices(update, new Set())
    feed.publish(update)
  }
  return { feed, change }
}

it('merges what a slow client has not read, within the memory of its subjects', async () => {
  const { feed, change } = createFeed()
  const wallets = [1, 2, 3].map(address)
  const subscription = await feed.open(1, subjects(...wallets), undefined)
  for (let block = 0; block < 1000; block++) {
    change([wallets[block % 2]!, address(1000 + block)])
  }
  const merged = subscription.take()
  expect(merged).toMatchObject({
    event: { type: 'change', block_number: 1001, wallets: wallets.slice(0, 2) },
    id: `${chainId}:1001:`,
    isInTime: false,
  })
  expect(subscription.take()).toBeUndefined()
  change([wallets[2]!])
  expect(subscription.take()).toMatchObject({ event: { wallets: [wallets[2]] }, isInTime: true })
})

it('limits the subscriptions of a key and of the process', async () => {
  const { feed } = createFeed()
  const open = async (key: number) => await feed.open(key, subjects(address(1)), undefined)
  const first = await open(1)
  await open(1)
  await expect(open(1)).rejects.toMatchObject({ status: 429, code: 'TOO_MANY_SUBSCRIPTIONS' })
  await open(2)
  await expect(open(2)).rejects.toMatchObject({ status: 503, code: 'SERVICE_BUSY' })
  feed.close(1, first)
  expect(feed.count).toBe(2)
  await open(2)
})
