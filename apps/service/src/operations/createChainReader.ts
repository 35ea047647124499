import { LRUCache } from 'lru-cache'
import { toFunctionSelector } from 'viem/utils'
import type { BlockRef } from '../rpc/methods/BlockHeader.ts'
import {
  balanceOfCall,
  type Call,
  type CallResult,
  decodeWord,
  wordCall,
} from '../rpc/methods/Call.ts'
import type { CallOptions } from '../rpc/transport/Deadline.ts'

/** A chain's nodes, as far as they are needed here. */
export interface ChainSource {
  /** What an account has of the native asset at a block, in smallest units. */
  getNativeBalance(address: string, block: BlockRef, patience?: CallOptions): Promise<bigint>
  /** What contracts answer to many calls at one block. */
  multicall(calls: readonly Call[], block: BlockRef, patience?: CallOptions): Promise<CallResult[]>
}

/** What a chain tells at a block: a whole number, or `none` where the contract fails or tells none, as it always will. */
type Told = bigint | 'none'

/** Reads from the nodes what the store does not know, always at a given block, and remembers it. */
export interface ChainReader {
  /**
   * What an account has of some assets at a block, in smallest units.
   *
   * @param assets - token contracts, or `native`.
   * @returns amounts by asset; `none` where the contract tells none. One that no node told in time is missing. It never
   *   rejects.
   */
  readonly amounts: (
    chainId: number,
    account: string,
    assets: readonly string[],
    block: BlockRef,
  ) => Promise<ReadonlyMap<string, Told>>
  /**
   * The total supply of a token, in smallest units; `none` where the contract tells none, undefined when it was not told
   * in time. It never rejects.
   */
  readonly totalSupply: (
    chainId: number,
    token: string,
    block: BlockRef,
  ) => Promise<Told | undefined>
}

/** An answer waits no longer than this for the nodes, whatever they themselves would wait. */
const PATIENCE: CallOptions = { timeoutMs: 5000 }
/** So many answers wait for the nodes of a chain at once. To others it is as if no node told in time. */
const MAXIMUM_WAITING = 512
/** Amounts and supplies of all blocks together. */
const REMEMBERED = 20_000

const totalSupplyCall = toFunctionSelector('totalSupply()')

/**
 * Makes a reader over the nodes of each chain, by chain id. At one block nothing ever changes, so that it asks once:
 * who asks for the same meanwhile waits for the same answer.
 */
export function createChainReader(nodes: ReadonlyMap<number, ChainSource>): ChainReader {
  const memory = new LRUCache<string, Promise<Told | undefined>>({ max: REMEMBERED })
  const waiting = new Map<number, number>()
  /** Asks what is missing in one go. What is not told is not remembered, so that it alone is asked again. */
  const recall = async (
    subject: readonly [chainId: number, ...others: string[]],
    assets: readonly string[],
    ask: (missing: readonly string[]) => Promise<ReadonlyMap<string, Told>>,
  ) => {
    const keyOf = (asset: string) => [...subject, asset].join()
    const known = new Map(assets.map((asset) => [asset, memory.get(keyOf(asset))]))
    const missing = assets.filter((asset) => !known.get(asset))
    const [chainId] = subject
    const before = waiting.get(chainId) ?? 0
    const asked = missing.length > 0 && before < MAXIMUM_WAITING ? ask(missing) : undefined
    if (asked) {
      waiting.set(chainId, before + 1)
      void asked.finally(() => waiting.set(chainId, (waiting.get(chainId) ?? 1) - 1))
    }
    for (const asset of asked ? missing : []) {
      const telling = asked?.then((told) => told.get(asset)) ?? Promise.resolve(undefined)
      const key = keyOf(asset)
      known.set(asset, telling)
      memory.set(key, telling)
      void telling.then((told) => {
        if (told === undefined && memory.peek(key) === telling) {
          memory.delete(key)
        }
      })
    }
    const told = new Map<string, Told>()
    for (const [asset, telling] of known) {
      const amount = await telling
      if (amount !== undefined) {
        told.set(asset, amount)
      }
    }
    return told
  }
  return {
    amounts(chainId, account, assets, block) {
      return recall([chainId, block.hash, account], assets, (missing) =>
        readAmounts(nodes.get(chainId), account, missing, block),
      )
    },
    async totalSupply(chainId, token, block) {
      const call = wordCall(token, totalSupplyCall)
      const told = await recall([chainId, block.hash], [token], () =>
        readCalls(nodes.get(chainId), [call], block),
      )
      return told.get(token)
    },
  }
}

async function readAmounts(
  node: ChainSource | undefined,
  account: string,
  assets: readonly string[],
  block: BlockRef,
): Promise<Map<string, Told>> {
  const calls = assets
    .filter((asset) => asset !== 'native')
    .map((token) => balanceOfCall(token, account))
  const reading = calls.length > 0 ? readCalls(node, calls, block) : new Map<string, Told>()
  const native = assets.includes('native')
    ? await node
        ?.getNativeBalance(account, block, PATIENCE)
        // What the node said may tell of its URL; it is the indexer that logs when nodes are away.
        .catch(() => undefined)
    : undefined
  const amounts = await reading
  if (native !== undefined) {
    amounts.set('native', native)
  }
  return amounts
}

/** What contracts answer, by contract. */
async function readCalls(
  node: ChainSource | undefined,
  calls: readonly Call[],
  block: BlockRef,
): Promise<Map<string, Told>> {
  const outcomes = (await node?.multicall(calls, block, PATIENCE).catch(() => undefined)) ?? []
  return new Map(
    calls.flatMap(({ to }, index) => {
      const outcome = outcomes[index]
      if (!outcome || outcome.kind === 'failed') {
        return []
      }
      return [[to, decodeWord(outcome) ?? 'none']]
    }),
  )
}
