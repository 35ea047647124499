import { LRUCache } from 'lru-cache'
import { getCollectibleKey } from '../discovery/Findings.ts'
import { nativeBalanceCall } from '../rpc/methods/aggregateCalls.ts'
import type { BlockRef } from '../rpc/methods/BlockHeader.ts'
import {
  balanceOfCall,
  type Call,
  type CallResult,
  decodeWord,
  itemBalanceCall,
  ownerOfCall,
  totalSupplyCall,
} from '../rpc/methods/Call.ts'
import type { MulticallOptions } from '../rpc/methods/multicall.ts'
import type { CallOptions } from '../rpc/transport/Deadline.ts'

/** The nodes of a chain. */
export interface ChainSource {
  /** Balance of the native asset at a block, in smallest units. */
  getNativeBalance(address: string, block: BlockRef, options?: CallOptions): Promise<bigint>
  /** Results of many calls at one block. */
  multicall(
    calls: readonly Call[],
    block: BlockRef,
    options?: MulticallOptions,
  ): Promise<readonly CallResult[]>
}

/** An NFT with an amount that can be read. */
export interface ReadableCollectible {
  /** Lower case. */
  readonly contract: string
  readonly tokenId: bigint
  readonly standard: 721 | 1155
  /** Selector of the function that returns the owner, where it is not `ownerOf`. */
  readonly ownerFunction?: string | undefined
}

/** A value at a block: an unsigned integer, or `unreadable` where the contract reverts or returns no word. */
export type ChainValue = bigint | 'unreadable'

/** Timeout of the nodes per request of a client; their own may be longer. */
const callOptions: CallOptions = { timeoutMs: 5000 }
/** Most reads of a chain in flight. Further ones resolve at once, as if no node had responded. */
const maxInFlight = 512
/** Cached values of all blocks together. */
const maxCachedValues = 20_000

/** More amounts are read by one `eth_call` for hundreds of them, the native one included. */
const maxSeparate = 3
/** Most native balances that are read by a request each, where no node aggregates them. */
export const maxSingleReads = 32
const wordBytes = 32

/**
 * Reads values from the nodes that the store does not hold, always at a given block.
 *
 * A value at a block never changes: it is cached, and concurrent reads share one request. A value that no node returned
 * in time is not cached. No method rejects.
 */
export class ChainReader {
  readonly #nodes: ReadonlyMap<number, ChainSource>
  readonly #values = new LRUCache<string, Promise<ChainValue | undefined>>({
    max: maxCachedValues,
  })
  /** Reads in flight, by chain id. */
  readonly #inFlight = new Map<number, number>()

  /** @param nodes - by chain id. */
  constructor(nodes: ReadonlyMap<number, ChainSource>) {
    this.#nodes = nodes
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
    return await this.#read(chainId, [block.hash, account], assets, (missing) =>
      readAmounts(this.#nodes.get(chainId), account, missing, block),
    )
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
    return await this.#read(
      chainId,
      [block.hash, `holders of ${token}`],
      holders,
      async (missing) => {
        const calls = missing.map((holder) => balanceOfCall(token, holder))
        const options = { ...callOptions, aggregatedBytes: wordBytes }
        return toMap(missing, await readCalls(this.#nodes.get(chainId), calls, block, options))
      },
    )
  }

  /**
   * Reads the native balances of some hundred accounts at a block by one request, without proofs and not cached. Where no
   * node aggregates them, only the first {@link maxSingleReads} are read.
   *
   * @returns balances by account, without those that no node returned in time.
   */
  async nativeAmounts(
    chainId: number,
    accounts: readonly string[],
    block: BlockRef,
  ): Promise<Map<string, bigint>> {
    const node = this.#nodes.get(chainId)
    const amounts = new Map<string, bigint>()
    if (accounts.length > maxSeparate) {
      const options = { ...callOptions, aggregatedBytes: wordBytes, isAggregatedOnly: true }
      const calls = accounts.map(nativeBalanceCall)
      const values = await this.#limit(chainId, () => readCalls(node, calls, block, options))
      for (const [index, account] of accounts.entries()) {
        const value = values?.[index]
        if (typeof value === 'bigint') {
          amounts.set(account, value)
        }
      }
    }
    const missing = accounts.filter((account) => !amounts.has(account)).slice(0, maxSingleReads)
    await Promise.all(
      missing.map(async (account) => {
        const amount = await this.#limit(chainId, async () =>
          node?.getNativeBalance(account, block, callOptions).catch(() => undefined),
        )
        if (amount !== undefined) {
          amounts.set(account, amount)
        }
      }),
    )
    return amounts
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
    return await this.#read(chainId, [block.hash, account], [...byKey.keys()], async (missing) => {
      const read = missing.flatMap((key) => byKey.get(key) ?? [])
      const node = this.#nodes.get(chainId)
      const amounts = await readCollectibles(node, account, read, 'own', block)
      const unreadable = read.filter((_, index) => amounts[index] === 'unreadable')
      const others = await readCollectibles(node, account, unreadable, 'other', block)
      return new Map([
        ...toMap(missing, amounts),
        ...toMap(unreadable.map(getCollectibleKey), others),
      ])
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
    const call = totalSupplyCall(token)
    const supplies = await this.#read(chainId, [block.hash], [token], async () =>
      toMap([token], await readCalls(this.#nodes.get(chainId), [call], block)),
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
    for (const asset of loading ? missing : []) {
      const value = loading?.then((loaded) => loaded.get(asset)) ?? Promise.resolve(undefined)
      pending.set(asset, value)
      this.#cache(keyOf(asset), value)
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

async function readAmounts(
  node: ChainSource | undefined,
  account: string,
  assets: readonly string[],
  block: BlockRef,
): Promise<Map<string, ChainValue>> {
  if (assets.length > maxSeparate) {
    return await readTogether(node, account, assets, block)
  }
  const tokens = assets.filter((asset) => asset !== 'native')
  const calls = tokens.map((token) => balanceOfCall(token, account))
  const reading = calls.length > 0 ? readCalls(node, calls, block) : []
  const native = assets.includes('native')
    ? await node
        ?.getNativeBalance(account, block, callOptions)
        // The error may reveal the URL of the node. The indexer logs unavailable nodes.
        .catch(() => undefined)
    : undefined
  return toMap([...tokens, 'native'], [...(await reading), native])
}

/** Reads many amounts in few requests, without proofs of the native one. */
async function readTogether(
  node: ChainSource | undefined,
  account: string,
  assets: readonly string[],
  block: BlockRef,
): Promise<Map<string, ChainValue>> {
  const calls = assets.map((asset) =>
    asset === 'native' ? nativeBalanceCall(account) : balanceOfCall(asset, account),
  )
  const options = { ...callOptions, aggregatedBytes: wordBytes }
  const values = await readCalls(node, calls, block, options)
  const amounts = toMap(assets, values)
  if (amounts.get('native') !== 'unreadable') {
    return amounts
  }
  // No node aggregated it.
  amounts.delete('native')
  return new Map([...amounts, ...(await readAmounts(node, account, ['native'], block))])
}

/** @param choice - the function of each NFT's own standard, or of the other one. */
async function readCollectibles(
  node: ChainSource | undefined,
  account: string,
  items: readonly ReadableCollectible[],
  choice: 'own' | 'other',
  block: BlockRef,
): Promise<(ChainValue | undefined)[]> {
  if (items.length === 0) {
    return []
  }
  const areOwned = items.map(({ standard }) => (standard === 721) === (choice === 'own'))
  const calls = items.map(({ contract, tokenId, ownerFunction }, index) =>
    areOwned[index]
      ? ownerOfCall(contract, tokenId, ownerFunction)
      : itemBalanceCall(contract, account, tokenId),
  )
  const values = await readCalls(node, calls, block, { ...callOptions, aggregatedBytes: wordBytes })
  return values.map((value, index) => {
    const isAmount = !areOwned[index] || typeof value !== 'bigint'
    return isAmount ? value : BigInt.asUintN(160, value) === BigInt(account) ? 1n : 0n
  })
}

/** Executes calls and returns their values; undefined for those that no node executed. */
async function readCalls(
  node: ChainSource | undefined,
  calls: readonly Call[],
  block: BlockRef,
  options: MulticallOptions = callOptions,
): Promise<(ChainValue | undefined)[]> {
  const results = (await node?.multicall(calls, block, options).catch(() => undefined)) ?? []
  return calls.map((_, index) => {
    const result = results[index]
    return !result || result.status === 'failed' ? undefined : (decodeWord(result) ?? 'unreadable')
  })
}

/** The values that were read, by asset. */
function toMap(
  assets: readonly string[],
  values: readonly (ChainValue | undefined)[],
): Map<string, ChainValue> {
  return new Map(
    assets.flatMap((asset, index) => {
      const value = values[index]
      return value === undefined ? [] : [[asset, value] as const]
    }),
  )
}
