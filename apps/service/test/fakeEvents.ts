import { type Hex, numberToHex, padHex, toEventSelector } from 'viem'
import { topics } from '../src/indexing/decode/topics.ts'
import type { FakeEvent } from './FakeChain.ts'
import { poolTopics } from './poolTopics.ts'

// Logs of NFTs, Uniswap V3 and Seaport in the encoding of the contracts.

type RawEvent = Extract<FakeEvent, { type: 'raw' }>

interface Move {
  readonly from: Hex
  readonly to: Hex
}

const word = (value: Hex | bigint | number): Hex =>
  typeof value === 'string'
    ? padHex(value, { size: 32 })
    : numberToHex(BigInt.asUintN(256, BigInt(value)), { size: 32 })
const words = (values: readonly (Hex | bigint | number)[]): Hex =>
  `0x${values.map((value) => word(value).slice(2)).join('')}`

/** `Transfer` of an ERC721. */
export function nftTransfer(contract: Hex, { from, to }: Move, tokenId: bigint): RawEvent {
  const logTopics = [topics.transfer, word(from), word(to), word(tokenId)]
  return { type: 'raw', address: contract, topics: logTopics, data: '0x' }
}

/** `ConsecutiveTransfer` of an ERC721, of ERC2309. */
export function consecutiveTransfer(
  contract: Hex,
  { from, to }: Move,
  firstId: bigint,
  lastId: bigint,
): RawEvent {
  const logTopics = [topics.consecutiveTransfer, word(firstId), word(from), word(to)]
  return { type: 'raw', address: contract, topics: logTopics, data: words([lastId]) }
}

/** `TransferSingle` of an ERC1155, or `TransferBatch` unless there is exactly one item. */
export function itemTransfer(
  contract: Hex,
  { from, to }: Move,
  items: readonly { readonly tokenId: bigint; readonly amount: bigint }[],
): RawEvent {
  const parties = [word(from), word(from), word(to)]
  const [only] = items
  if (only && items.length === 1) {
    return {
      type: 'raw',
      address: contract,
      topics: [topics.transferSingle, ...parties],
      data: words([only.tokenId, only.amount]),
    }
  }
  const ids = items.map(({ tokenId }) => tokenId)
  const amounts = items.map(({ amount }) => amount)
  return {
    type: 'raw',
    address: contract,
    topics: [topics.transferBatch, ...parties],
    data: words([64, 96 + 32 * ids.length, ids.length, ...ids, amounts.length, ...amounts]),
  }
}

/** `PoolCreated` of a Uniswap V3 factory. */
export function poolCreated(factory: Hex, pool: Hex, token0: Hex, token1: Hex): RawEvent {
  const logTopics = [poolTopics.poolCreated, word(token0), word(token1), word(3000)]
  return { type: 'raw', address: factory, topics: logTopics, data: words([60, pool]) }
}

/** `Swap` or `Initialize` of a V3 pool, which contain the price. */
export function priceSet(pool: Hex, name: 'swap' | 'initialize', sqrtPrice: bigint): RawEvent {
  if (name === 'initialize') {
    return {
      type: 'raw',
      address: pool,
      topics: [poolTopics.initialize],
      data: words([sqrtPrice, 0]),
    }
  }
  const logTopics = [poolTopics.swap, word(pool), word(pool)]
  return { type: 'raw', address: pool, topics: logTopics, data: words([-1, 1, sqrtPrice, 1, 0]) }
}

/** `Mint` of a V3 pool, or `Burn` if the change is negative. */
export function liquidityChanged(
  pool: Hex,
  { tickLower, tickUpper }: { readonly tickLower: number; readonly tickUpper: number },
  change: bigint,
): RawEvent {
  const range = [word(pool), word(tickLower), word(tickUpper)]
  return change < 0n
    ? {
        type: 'raw',
        address: pool,
        topics: [poolTopics.burn, ...range],
        data: words([-change, 1, 1]),
      }
    : {
        type: 'raw',
        address: pool,
        topics: [poolTopics.mint, ...range],
        data: words([pool, change, 1, 1]),
      }
}

/** An event of a venue: all parameters of one word, the first of them indexed. */
export function venueEvent(
  address: Hex,
  signature: string,
  indexed: readonly (Hex | bigint | number)[],
  values: readonly (Hex | bigint | number)[],
): RawEvent {
  const logTopics = [toEventSelector(signature), ...indexed.map(word)]
  return { type: 'raw', address, topics: logTopics, data: words(values) }
}

/** `OrderFulfilled` of Seaport: one NFT for an amount of the native asset. */
export function nftSold(marketplace: Hex, contract: Hex, tokenId: bigint, price: bigint): RawEvent {
  const head = [1, marketplace, 128, 128 + 32 * 5]
  const offer = [1, 2, contract, tokenId, 1]
  const consideration = [1, 0, 0, 0, price, marketplace]
  return {
    type: 'raw',
    address: marketplace,
    topics: [topics.orderFulfilled, word(marketplace), word(0)],
    data: words([...head, ...offer, ...consideration]),
  }
}
