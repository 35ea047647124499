import { createLruCache } from '../createLruCache.ts'
import { getCollectibleKey } from '../discovery/Findings.ts'
import type { BlockRef } from '../rpc/methods/BlockHeader.ts'
import { NativeBalances } from './NativeBalances.ts'
import {
  type ChainSource,
  type ChainValue,
  type ReadableCollectible,
  readAmounts,
  readCollectibles,
  readHolderAmounts,
  readTotalSupply,
} from './readValues.ts'

/** Most reads of a chain in flight. Further ones resolve at once, as if no node had responded. */
const maxInFlight = 512
/** Cached values of all blocks together. */
const maxCachedValues = 20_000

/**
 * Reads values from the nodes that the store does not hold, always at a given block.
 *
 * A value at a block never changes: it is cached, and concurrent reads share one request. A value that no node returned
 * in time is not cached. No method rejects.
 */
export class ChainReader {
  /** Of the accounts in use. */
  readonly natives: NativeBalances
  readonly #nodes: ReadonlyMap<number, ChainSource>
  readonly #values = createLruCache<string, Promise<ChainValue | undefined>>(maxCachedValues)
  /** Reads in flight, by chain id. */
  readonly #inFlight = new Map<number, number>()

  /** @param nodes - by chain id. */
  constructor(nodes: ReadonlyMap<number, ChainSource>) {
    this.#nodes = nodes
    this.natives = new NativeBalances(nodes)
  }

  /**
   * Reads the balances of an account at a block, in smallest units.
   *
   * @param assets - token contracts, or `native`.
   * @returns balances by asset, without those that no node returned in time.
   */
  async amounts(
    chainId: number,
    account: string,
    assets: readonly string[],
    block: BlockRef,
  ): Promise<ReadonlyMap<string, ChainValue>> {
    const native = assets.includes('native')
      ? await this.natives.find(chainId, account, block)
      : undefined
    if (native !== undefined && assets.length === 1) {
      return new Map([['native', native]])
    }
    const others = native === undefined ? assets : assets.filter((asset) => asset !== 'native')
    const amounts = await this.#read(chainId, [block.hash, account], others, (missing) =>
      readAmounts(this.#nodes.get(chainId), account, missing, block),
    )
    return native === undefined ? amounts : amounts.set('native', native)
  }

  /**
   * Reads the balances of accounts in a token at a block, in smallest units.
   *
   * @returns balances by account, without those that no node returned in time.
   */
  async holderAmounts(
    chainId: number,
    token: string,
    holders: readonly string[],
    block: BlockRef,
  ): Promise<ReadonlyMap<string, ChainValue>> {
    return await this.#read(chainId, [block.hash, `holders of ${token}`], holders, (missing) =>
      readHolderAmounts(this.#nodes.get(chainId), token, missing, block),
    )
  }

  /**
   * Reads the amounts of NFTs that an account holds at a block: of ERC721 by their owner, of ERC1155 by the balance. Where a
   * contract has no such function, the other one decides.
   *
   * @returns amounts by {@link getCollectibleKey}, without those that no node returned in time.
   */
  async collectibles(
    chainId: number,
    account: string,
    items: readonly ReadableCollectible[],
    block: BlockRef,
  ): Promise<ReadonlyMap<string, ChainValue>> {
    const byKey = new Map(items.map((item) => [getCollectibleKey(item), item]))
    return await this.#read(chainId, [block.hash, account], [...byKey.keys()], (missing) => {
      const read = missing.flatMap((key) => byKey.get(key) ?? [])
      return readCollectibles(this.#nodes.get(chainId), account, read, block)
    })
  }

  /**
   * Reads the total supply of a token at a block, in smallest units.
   *
   * @returns undefined if no node returned it in time.
   */
  async totalSupply(
    chainId: number,
    token: string,
    block: BlockRef,
  ): Promise<ChainValue | undefined> {
    const supplies = await this.#read(chainId, [block.hash], [token], () =>
      readTotalSupply(this.#nodes.get(chainId), token, block),
    )
    return supplies.get(token)
  }

  /** Returns cached values and loads the missing ones together. */
  async #read(
    chainId: number,
    scope: readonly string[],
    assets: readonly string[],
    load: (missing: readonly string[]) => Promise<ReadonlyMap<string, ChainValue>>,
  ): Promise<Map<string, ChainValue>> {
    const keyOf = (asset: string) => [chainId, ...scope, asset].join()
    const pending = new Map(assets.map((asset) => [asset, this.#values.get(keyOf(asset))]))
    const missing = assets.filter((asset) => !pending.get(asset))
    const loading = missing.length > 0 ? this.#limit(chainId, () => load(missing)) : undefined
    if (loading) {
      for (const asset of missing) {
        const value = loading.then((loaded) => loaded.get(asset))
        pending.set(asset, value)
        this.#cache(keyOf(asset), value)
      }
    }
    const values = new Map<string, ChainValue>()
    for (const [asset, promise] of pending) {
      const value = await promise
      if (value !== undefined) {
        values.set(asset, value)
      }
    }
    return values
  }

  #cache(key: string, value: Promise<ChainValue | undefined>): void {
    this.#values.set(key, value)
    void value.then((loaded) => {
      if (loaded === undefined && this.#values.peek(key) === value) {
        this.#values.delete(key)
      }
    })
  }

  /** Starts a read unless too many are in flight. */
  #limit<Result>(chainId: number, read: () => Promise<Result>): Promise<Result> | undefined {
    const inFlight = this.#inFlight.get(chainId) ?? 0
    if (inFlight >= maxInFlight) {
      return undefined
    }
    this.#inFlight.set(chainId, inFlight + 1)
    const reading = read()
    void reading.finally(() => {
      this.#inFlight.set(chainId, (this.#inFlight.get(chainId) ?? 1) - 1)
    })
    return reading
  }
}
