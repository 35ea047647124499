import { expect, it } from 'vitest'
import type { ChainState } from '../store/ChainWatch.ts'
import { ChangeIndex } from '../store/ChangeIndex.ts'
import { StoreCache } from './StoreCache.ts'

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
      const update = { chainId: 1, sequence, changes: [{ keys }] }
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
                  ...{ wallet, number, isVolatile: false, weight: 1 },
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
