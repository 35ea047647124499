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
  /** Native balances of many accounts, in their order; undefined where no node returned one in few requests. */
  aggregateNativeBalances(
    accounts: readonly string[],
    block: BlockRef,
    options?: CallOptions,
  ): Promise<readonly (bigint | undefined)[]>
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
/** More amounts are read by one `eth_call` for hundreds of them, the native one included. */
export const maxSeparate = 3
/** Most native balances that are read by a request each, where no node aggregates them. */
export const maxSingleReads = 32
const wordBytes = 32

/**
 * Reads the balances of an account at a block, in smallest units.
 *
 * @param assets - token contracts, or `native`.
 * @returns balances by asset, without those that no node returned in time, like all of these functions.
 */
export async function readAmounts(
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
    ? await readNativeAmount(node, account, block)
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

/** Reads the native balance of an account, which a proof verifies where nodes return one. */
export async function readNativeAmount(
  node: ChainSource | undefined,
  account: string,
  block: BlockRef,
): Promise<bigint | undefined> {
  // The error may reveal the URL of the node. The indexer logs unavailable nodes.
  return await node?.getNativeBalance(account, block, callOptions).catch(() => undefined)
}

/**
 * Reads the native balances of many accounts by few requests, without proofs.
 *
 * @returns in the order of the accounts; undefined for those that no node returned, as where none aggregates them.
 */
export async function readNativeAmounts(
  node: ChainSource | undefined,
  accounts: readonly string[],
  block: BlockRef,
): Promise<readonly (bigint | undefined)[]> {
  const amounts = await node
    ?.aggregateNativeBalances(accounts, block, callOptions)
    .catch(() => undefined)
  return amounts ?? []
}

/** Reads the balances of accounts in a token. */
export async function readHolderAmounts(
  node: ChainSource | undefined,
  token: string,
  holders: readonly string[],
  block: BlockRef,
): Promise<Map<string, ChainValue>> {
  const calls = holders.map((holder) => balanceOfCall(token, holder))
  const options = { ...callOptions, aggregatedBytes: wordBytes }
  return toMap(holders, await readCalls(node, calls, block, options))
}

/** Reads the total supply of a token. */
export async function readTotalSupply(
  node: ChainSource | undefined,
  token: string,
  block: BlockRef,
): Promise<Map<string, ChainValue>> {
  return toMap([token], await readCalls(node, [totalSupplyCall(token)], block))
}

/** Reads the amounts of NFTs that an account holds, by {@link getCollectibleKey}. */
export async function readCollectibles(
  node: ChainSource | undefined,
  account: string,
  items: readonly ReadableCollectible[],
  block: BlockRef,
): Promise<Map<string, ChainValue>> {
  const amounts = await readBy(node, account, items, 'own', block)
  const unreadable = items.filter((_, index) => amounts[index] === 'unreadable')
  const others = await readBy(node, account, unreadable, 'other', block)
  return new Map([
    ...toMap(items.map(getCollectibleKey), amounts),
    ...toMap(unreadable.map(getCollectibleKey), others),
  ])
}

/** @param choice - the function of each NFT's own standard, or of the other one. */
async function readBy(
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
