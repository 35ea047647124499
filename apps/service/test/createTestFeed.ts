import type { ChangesSubjects } from '@headwater/contract/schemas'
import { ChangeFeed } from '../src/http/changes/ChangeFeed.ts'
import type { SubscriptionLimits } from '../src/http/changes/SubscriptionQuota.ts'
import type { ChainState, ChainUpdate } from '../src/store/ChainWatch.ts'
import { testChainConfig } from './testChainConfig.ts'

const chainId = 7

/** The subjects of a subscription to wallets on the chain of {@link createTestFeed}. */
export function walletsOf(...wallets: string[]): Map<number, ChangesSubjects> {
  return new Map([[chainId, { wallets: new Set(wallets), tokens: new Set(), holders: new Set() }]])
}

/** A feed of the chain 7, which blocks change. */
export function createTestFeed(limits?: SubscriptionLimits) {
  const natives = new Map<string, bigint>()
  let isAvailable = true
  let state: ChainState = {
    chainId,
    sequence: 1,
    metadataVersion: 0,
    changeVersion: 1,
    confirmedAt: Infinity,
    stoppedReason: undefined,
    isStopped: false,
    hold: undefined,
    block: { number: 1, hash: '0x1', time: 0 },
  }
  const feed = new ChangeFeed(
    {
      config: { chains: [testChainConfig(chainId)], defaultRate: { requests: 1, seconds: 1 } },
      watch: {
        get: () => (isAvailable ? state : undefined),
        refresh: () => Promise.resolve(),
      } as never,
      stores: {} as never,
    },
    {
      read: (_, wallets) =>
        Promise.resolve(
          new Map(
            wallets.flatMap((wallet) => {
              const amount = natives.get(wallet)
              return amount === undefined ? [] : [[wallet, amount]]
            }),
          ),
        ),
    },
    limits,
  )
  /**
   * Adds a block.
   *
   * @param ancestor - the number of the block that it follows in a reorg.
   */
  const change = (holders: readonly string[], ancestor?: number) => {
    const { block, metadataVersion } = state
    const version = state.changeVersion + 1
    const number = (ancestor ?? block!.number) + 1
    const next = { number, hash: `0x${version}`, time: 0 }
    state = { ...state, block: next, changeVersion: version }
    const keys = { holders, ledgers: [], contracts: [], pooled: [] }
    const update: ChainUpdate = {
      chainId,
      block: next,
      metadataVersion,
      changeVersion: version,
      sequence: version,
      before: { block: block!, metadataVersion },
      changes: [{ version, block: next, metadataVersions: [0, 0], ancestor, deltas: [], keys }],
      keys,
    }
    feed.publish(update, new Set())
  }
  return {
    feed,
    change,
    /** Native balances that the nodes return. */
    natives,
    /** Makes the store available or not. */
    setAvailable: (value: boolean) => (isAvailable = value),
  }
}
