import { createHash } from 'node:crypto'
import { type Hex, keccak256, numberToHex, padHex } from 'viem'
import { topics } from '../indexing/topics.ts'

/** Something that a contract tells in a test's block. Addresses are whole, amounts whole numbers. */
export type HandmadeEvent =
  | { type: 'transfer'; token: Hex; from: Hex; to: Hex; amount: bigint }
  | { type: 'deposit' | 'withdrawal'; token: Hex; account: Hex; amount: bigint }
  | { type: 'pair'; factory: Hex; token0: Hex; token1: Hex; pool: Hex }
  | { type: 'sync'; pool: Hex; reserve0: bigint; reserve1: bigint }
  /** Whatever a contract may write: its topics and data are taken as they are. */
  | { type: 'raw'; address: Hex; topics: readonly Hex[]; data: Hex }

interface HandmadeBlock {
  readonly number: number
  readonly hash: Hex
  readonly parentHash: Hex
  readonly time: number
  readonly events: readonly HandmadeEvent[]
}

/** A chain made by hand, block by block, that a `HandmadeNode` serves. It begins with an empty block 0. */
export class HandmadeChain {
  readonly blocks: HandmadeBlock[] = []
  readonly #salt: string
  #made = 0

  /** @param salt chains of different salts share no block. */
  constructor(salt = '') {
    this.#salt = salt
    this.mine([])
  }

  get head(): HandmadeBlock {
    return this.blocks.at(-1) as HandmadeBlock
  }

  /** Appends a block. */
  mine(events: readonly HandmadeEvent[]): void {
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

  /** Replaces the newest `depth` blocks by these. */
  reorg(depth: number, blocks: readonly (readonly HandmadeEvent[])[]): void {
    this.blocks.splice(this.blocks.length - depth)
    for (const events of blocks) this.mine(events)
  }
}

/** A block as `eth_getBlockByNumber` answers it. */
export function rpcBlock(block: HandmadeBlock): object {
  const { number, hash, parentHash, time } = block
  let bloom = 0n
  for (const topic of rpcLogs(block).flatMap(({ topics }) => topics))
    for (const pair of keccak256(topic).slice(2).match(/.{4}/g)?.slice(0, 3) ?? [])
      bloom |= 1n << (BigInt(`0x${pair}`) % 2048n)
  return {
    number: numberToHex(number),
    hash,
    parentHash,
    timestamp: numberToHex(time),
    logsBloom: numberToHex(bloom, { size: 256 }),
  }
}

/** A block's events as `eth_getLogs` answers them. */
export function rpcLogs({ number, hash, events }: HandmadeBlock): { topics: readonly Hex[] }[] {
  return events.map((event, index) => ({
    blockNumber: numberToHex(number),
    blockHash: hash,
    logIndex: numberToHex(index),
    removed: false,
    ...written(event),
  }))
}

const word = (value: Hex | bigint) =>
  padHex(typeof value === 'bigint' ? numberToHex(value) : value, { size: 32 })
const data = (...values: (Hex | bigint)[]): Hex =>
  `0x${values.map((value) => word(value).slice(2)).join('')}`

function written(event: HandmadeEvent): { address: Hex; topics: readonly Hex[]; data: Hex } {
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
        topics: [topics.pairCreated, word(event.token0), word(event.token1)],
        data: data(event.pool, 1n),
      }
    case 'sync':
      return {
        address: event.pool,
        topics: [topics.sync],
        data: data(event.reserve0, event.reserve1),
      }
    case 'raw':
      return event
  }
}
