import { createHash } from 'node:crypto'
import { type Hex, keccak256, numberToHex, padHex } from 'viem'
import { topics } from '../src/indexing/decode/topics.ts'
import { poolTopics } from './poolTopics.ts'

/**
 * An event in a block of a test.
 *
 * Each is emitted in its own transaction, or in that of the previous event (`inSameTransaction`). `sender` is the sender of
 * the transaction, by default {@link fakeSender}.
 */
export type FakeEvent = (
  | { type: 'transfer'; token: Hex; from: Hex; to: Hex; amount: bigint }
  | { type: 'deposit' | 'withdrawal'; token: Hex; account: Hex; amount: bigint }
  | { type: 'pair'; factory: Hex; token0: Hex; token1: Hex; pool: Hex }
  | { type: 'sync'; pool: Hex; reserve0: bigint; reserve1: bigint }
  /** A log with these topics and data. */
  | { type: 'raw'; address: Hex; topics: readonly Hex[]; data: Hex }
  /** A transaction without logs. */
  | { type: 'silence' }
) & { readonly sender?: Hex; readonly inSameTransaction?: boolean }

/** The default sender of transactions. */
export const fakeSender: Hex = '0x5e4de5000000000000000000000000000000face'

interface FakeBlock {
  readonly number: number
  readonly hash: Hex
  readonly parentHash: Hex
  readonly time: number
  readonly events: readonly FakeEvent[]
}

/** A chain that a test builds block by block and a `FakeNode` serves. It starts with an empty block 0. */
export class FakeChain {
  readonly blocks: FakeBlock[] = []
  readonly #salt: string
  #made = 0

  /** @param salt - chains with different salts have no common block. */
  constructor(salt = '') {
    this.#salt = salt
    this.mine([])
  }

  get head(): FakeBlock {
    return this.blocks.at(-1) as FakeBlock
  }

  /** Appends a block. */
  mine(events: readonly FakeEvent[]): void {
    const parent = this.blocks.at(-1)
    const number = this.blocks.length
    const parentHash = parent?.hash ?? `0x${'0'.repeat(64)}`
    const hash = createHash('sha256').update(`${this.#salt}/${parentHash}/${this.#made++}`)
    this.blocks.push({
      number,
      hash: `0x${hash.digest('hex')}`,
      parentHash,
      time: 1_700_000_000 + 12 * number,
      events,
    })
  }

  /** Replaces the latest `depth` blocks. */
  reorg(depth: number, blocks: readonly (readonly FakeEvent[])[]): void {
    this.blocks.splice(this.blocks.length - depth)
    for (const events of blocks) {
      this.mine(events)
    }
  }
}

/** A block in the format of `eth_getBlockByNumber`, with transaction hashes or full transactions. */
export function rpcBlock(block: FakeBlock, includeTransactions = false): object {
  const { number, hash, parentHash, time } = block
  const receipts = rpcReceipts(block)
  return {
    number: numberToHex(number),
    hash,
    parentHash,
    timestamp: numberToHex(time),
    logsBloom: getBloom(block),
    transactions: receipts.map(({ transactionHash, from }) =>
      includeTransactions ? { hash: transactionHash, from, blockHash: hash } : transactionHash,
    ),
  }
}

interface RpcLog {
  readonly blockNumber: Hex
  readonly blockHash: Hex
  readonly logIndex: Hex
  readonly removed: boolean
  readonly address: Hex
  readonly topics: readonly Hex[]
  readonly data: Hex
  readonly transactionHash: Hex
}

/** The events of a block in the format of `eth_getLogs`. */
export function rpcLogs(block: FakeBlock): RpcLog[] {
  return rpcReceipts(block).flatMap(({ logs }) => logs)
}

interface RpcReceipt {
  readonly blockNumber: Hex
  readonly blockHash: Hex
  readonly transactionIndex: Hex
  readonly transactionHash: Hex
  readonly from: Hex
  readonly logs: RpcLog[]
}

/** The transactions of a block in the format of `eth_getBlockReceipts`. */
export function rpcReceipts(block: FakeBlock): RpcReceipt[] {
  const { number, hash, events } = block
  const receipts: RpcReceipt[] = []
  let logIndex = 0
  for (const event of events) {
    const previous = event.inSameTransaction ? receipts.at(-1) : undefined
    const index = receipts.length
    const place = { blockNumber: numberToHex(number), blockHash: hash }
    const receipt: RpcReceipt = previous ?? {
      ...place,
      transactionIndex: numberToHex(index),
      transactionHash: getTransactionHash(block, index),
      from: event.sender ?? fakeSender,
      logs: [],
    }
    if (!previous) {
      receipts.push(receipt)
    }
    const { transactionHash } = receipt
    if (event.type !== 'silence') {
      receipt.logs.push({
        ...place,
        logIndex: numberToHex(logIndex++),
        transactionHash,
        removed: false,
        ...encodeEvent(event),
      })
    }
  }
  return receipts
}

/** Hashes that blocks have been served with: computing them takes most of the time of a fake node. */
const transactionHashes = new WeakMap<FakeBlock, Hex[]>()
const blooms = new WeakMap<FakeBlock, Hex>()

function getTransactionHash(block: FakeBlock, index: number): Hex {
  const hashes = transactionHashes.get(block) ?? []
  transactionHashes.set(block, hashes)
  return (hashes[index] ??= keccak256(`${block.hash}${word(BigInt(index)).slice(2)}`))
}

function getBloom(block: FakeBlock): Hex {
  const bloom = blooms.get(block) ?? bloomOf(rpcLogs(block))
  blooms.set(block, bloom)
  return bloom
}

function bloomOf(logs: readonly RpcLog[]): Hex {
  let bloom = 0n
  for (const entry of logs.flatMap(({ address, topics }) => [address, ...topics])) {
    for (const pair of keccak256(entry).slice(2).match(/.{4}/g)?.slice(0, 3) ?? []) {
      bloom |= 1n << (BigInt(`0x${pair}`) % 2048n)
    }
  }
  return numberToHex(bloom, { size: 256 })
}

const word = (value: Hex | bigint) =>
  padHex(typeof value === 'bigint' ? numberToHex(value) : value, { size: 32 })
const data = (...values: (Hex | bigint)[]): Hex =>
  `0x${values.map((value) => word(value).slice(2)).join('')}`

function encodeEvent(event: Exclude<FakeEvent, { type: 'silence' }>): {
  address: Hex
  topics: readonly Hex[]
  data: Hex
} {
  switch (event.type) {
    case 'transfer':
      return {
        address: event.token,
        topics: [topics.transfer, word(event.from), word(event.to)],
        data: data(event.amount),
      }
    case 'deposit':
    case 'withdrawal':
      return {
        address: event.token,
        topics: [topics[event.type], word(event.account)],
        data: data(event.amount),
      }
    case 'pair':
      return {
        address: event.factory,
        topics: [poolTopics.pairCreated, word(event.token0), word(event.token1)],
        data: data(event.pool, 1n),
      }
    case 'sync':
      return {
        address: event.pool,
        topics: [poolTopics.sync],
        data: data(event.reserve0, event.reserve1),
      }
    case 'raw':
      return event
  }
}
