import { LRUCache } from 'lru-cache'
import { encodeFunctionData, erc20Abi } from 'viem'
import { balanceOfCall } from '../rpc/balanceOfCall.ts'
import type { BlockRef } from '../rpc/BlockHeader.ts'
import type { Call, CallOutcome } from '../rpc/CallOutcome.ts'
import type { Patience } from '../rpc/Patience.ts'
import { readWord } from '../rpc/readWord.ts'

/** A chain's nodes, as far as they are needed here. */
export interface ChainSource {
  /** What an account has of the native asset at a block, in smallest units. */
  getNativeBalance(address: string, block: BlockRef, patience?: Patience): Promise<bigint>
  /** What contracts answer to many calls at one block. */
  callMany(calls: readonly Call[], block: BlockRef, patience?: Patience): Promise<CallOutcome[]>
}

/** Reads from the nodes what the store does not know, always at a given block, and remembers it. */
export interface ChainReader {
  /**
   * What an account has of some assets at a block, in smallest units.
   *
   * @param assets token contracts, or `native`.
   * @returns amounts by asset; one that no node told in time is missing. It never rejects.
   */
  readonly amounts: (
    chainId: number,
    account: string,
    assets: readonly string[],
    block: BlockRef,
  ) => Promise<ReadonlyMap<string, bigint>>
  /** The total supply of a token, in smallest units; undefined when it was not told in time. It never rejects. */
  readonly totalSupply: (
    chainId: number,
    token: string,
    block: BlockRef,
  ) => Promise<bigint | undefined>
}

/** An answer waits no longer than this for the nodes, whatever they themselves would wait. */
const PATIENCE: Patience = { totalMs: 5000 }
/** Amounts and supplies of all blocks together. */
const REMEMBERED = 20_000

const totalSupplyCall = encodeFunctionData({ abi: erc20Abi, functionName: 'totalSupply' })

/**
 * Makes a reader over the nodes of each chain, by chain id. At one block nothing ever changes, so that it asks once:
 * who asks for the same meanwhile waits for the same answer.
 */
export function createChainReader(nodes: ReadonlyMap<number, ChainSource>): ChainReader {
  const memory = new LRUCache<string, Promise<ReadonlyMap<string, bigint>>>({
    maxSize: REMEMBERED,
  })
  /** Asks what is missing in one go. What is not told is not remembered, so that it is asked again. */
  const remember = (key: string, size: number, ask: () => Promise<ReadonlyMap<string, bigint>>) => {
    const known = memory.get(key)
    if (known) return known
    const asking = ask()
    memory.set(key, asking, { size: Math.max(1, size) })
    void asking.then((told) => {
      if (told.size < size && memory.peek(key) === asking) memory.delete(key)
    })
    return asking
  }
  return {
    amounts(chainId, account, assets, block) {
      const key = [chainId, block.hash, account, ...assets].join()
      return remember(key, assets.length, () =>
        readAmounts(nodes.get(chainId), account, assets, block),
      )
    },
    async totalSupply(chainId, token, block) {
      const call = { to: token, data: totalSupplyCall }
      const told = await remember([chainId, block.hash, token].join(), 1, () =>
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
): Promise<Map<string, bigint>> {
  const calls = assets
    .filter((asset) => asset !== 'native')
    .map((token) => balanceOfCall(token, account))
  const reading = calls.length > 0 ? readCalls(node, calls, block) : new Map<string, bigint>()
  const native = assets.includes('native')
    ? await node
        ?.getNativeBalance(account, block, PATIENCE)
        // What the node said may tell of its URL; it is the indexer that logs when nodes are away.
        .catch(() => undefined)
    : undefined
  const amounts = await reading
  if (native !== undefined) amounts.set('native', native)
  return amounts
}

/** The whole numbers that contracts answer, by contract. */
async function readCalls(
  node: ChainSource | undefined,
  calls: readonly Call[],
  block: BlockRef,
): Promise<Map<string, bigint>> {
  const outcomes = (await node?.callMany(calls, block, PATIENCE).catch(() => undefined)) ?? []
  return new Map(
    calls.flatMap(({ to }, index) => {
      const amount = readWord(outcomes[index])
      return amount === undefined ? [] : [[to, amount]]
    }),
  )
}
