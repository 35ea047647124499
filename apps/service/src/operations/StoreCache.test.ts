import { expect, it } from 'vitest'
import type { ChainState } from '../store/ChainWatch.ts'
import { ChangeIndex } from '../store/ChangeIndex.ts'
import { type CachedValue, StoreCache } from './StoreCache.ts'

const wallets = ['0xa', '0xb']

/** A cache of rows of wallets, which are named by the block at which they were read. */
function createCache() {
  const changes = new ChangeIndex()
  let state: Partial<ChainState> = {}
  const cache = new StoreCache({ get: () => state as ChainState }, changes)
  const headAt = (number: number) => ({ number, hash: `0x${number}`, time: 0, metadataVersion: 0 })
  return {
    publish(number: number, holders: readonly string[]) {
      const sequence = (state.sequence ?? 0) + 1
      const keys = { holders, ledgers: [], contracts: [], pooled: [] }
      const change = { keys, deltas: [], block: headAt(number) }
      const update = { chainId: 1, sequence, changes: [change], keys }
      changes.add(update as never, new Set())
      state = { chainId: 1, sequence, block: headAt(number), metadataVersion: 0 }
    },
    /** The blocks at which the rows of the wallets were read that are returned for a head. */
    read: async (number: number) => {
      const rows = await cache.getOrLoadMany(
        new Map([[1, headAt(number)]]),
        'rows',
        wallets,
        (missing) =>
          Promise.resolve(
            new Map(
              missing.map((wallet) => [
                wallet,
                {
                  wallet,
                  number,
                  isVolatile: false,
                  weight: 1,
                  dependencies: new Map([[1, { holders: [wallet] }]]),
                },
              ]),
            ),
          ),
      )
      return wallets.map((wallet) => rows.get(wallet)?.number)
    },
  }
}

it('keeps values until a block changes them', async () => {
  const { publish, read } = createCache()
  publish(1, [])
  expect(await read(1)).toEqual([1, 1])
  publish(2, ['0xb'])
  expect(await read(2)).toEqual([1, 2])
})

it('keeps values of a block that is not published yet, from its publication on, unless it changed them', async () => {
  const { publish, read } = createCache()
  publish(1, [])
  expect(await read(2)).toEqual([2, 2])
  expect(await read(1)).toEqual([1, 1])
  expect(await read(3)).toEqual([3, 3])
  publish(2, [])
  expect(await read(2)).toEqual([2, 2])
  expect(await read(3)).toEqual([3, 3])
  publish(4, ['0xa'])
  expect(await read(4)).toEqual([4, 3])
})

it('does not keep values of a block before the published one, as of a replica', async () => {
  const { publish, read } = createCache()
  publish(2, [])
  expect(await read(1)).toEqual([1, 1])
  expect(await read(2)).toEqual([2, 2])
})

it('updates values by what changed of their holder, and reads those of which that is not known', async () => {
  const changes = new ChangeIndex()
  let state: Partial<ChainState> = {}
  const cache = new StoreCache({ get: () => state as ChainState }, changes)
  const headAt = (number: number) => ({ number, hash: `0x${number}`, time: 0, metadataVersion: 0 })
  const publish = (number: number, amount?: bigint) => {
    const sequence = (state.sequence ?? 0) + 1
    const keys = { holders: ['0xa'], ledgers: ['0x1'], contracts: [], pooled: [] }
    const deltas = amount === undefined ? [] : [{ holder: '0xa', token: '0x1', amount }]
    const change = { keys, deltas, block: headAt(number) }
    changes.add({ chainId: 1, sequence, changes: [change], keys } as never, new Set())
    state = { chainId: 1, sequence, block: headAt(number), metadataVersion: 0 }
  }
  interface Amount extends CachedValue {
    readonly amount: bigint
  }
  const toValue = (amount: bigint): Amount => ({
    amount,
    isVolatile: false,
    weight: 1,
    dependencies: new Map([[1, { holders: ['0xa'] }]]),
    updates: {
      holder: '0xa',
      apply: (_, deltas) => toValue(deltas.reduce((sum, delta) => sum + delta.amount, amount)),
    },
  })
  /** The amount at a block, with that in the store where it must be read. */
  const read = async (number: number, stored?: bigint) => {
    const load = stored === undefined ? undefined : () => Promise.resolve(toValue(stored))
    return (await cache.getOrLoad(new Map([[1, headAt(number)]]), ['amount'], load))?.amount
  }
  publish(1)
  // The block that it is read from is not published yet.
  expect(await read(3, 10n)).toBe(10n)
  publish(2, 1n)
  expect(await read(2)).toBeUndefined()
  publish(3, 2n)
  expect(await read(3)).toBe(10n)
  publish(4, 5n)
  publish(5, -1n)
  expect(await read(5)).toBe(14n)
  publish(6)
  expect(await read(6)).toBeUndefined()
  expect(await read(6, 20n)).toBe(20n)
})
