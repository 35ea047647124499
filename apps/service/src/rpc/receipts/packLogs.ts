import type { BlockRef } from '../methods/BlockHeader.ts'
import type { LogWithSender, RawReceipt } from '../methods/Log.ts'
import { parseBytes } from '../methods/parseHex.ts'
import { hashDigits } from '../verify/hashDigits.ts'
import type { TopicFilter } from '../verify/TopicFilter.ts'

/** A power of two: there are fewer different addresses and topics in most responses. */
const recentSize = 2 ** 15
/** Numbers of a log, besides the places of its topics. */
const fieldsPerLog = 5

/**
 * The logs of several blocks as few values, which a thread transfers in a fraction of the time that objects take: addresses
 * and topics recur, so that they are sent once.
 */
export interface PackedLogs {
  readonly strings: readonly string[]
  /**
   * For each block, the number of its logs; for each log its index, the number of its topics, and the places of its address,
   * sender, data and topics in the strings.
   */
  readonly numbers: Uint32Array<ArrayBuffer>
}

/** Parses and packs logs in one pass, so that an address or a topic that recurs is also validated once. */
export class LogPacker {
  readonly #filter: TopicFilter
  readonly #strings: string[] = []
  readonly #numbers: number[] = []
  /** Of two strings with the same hash, the later one replaces the other, which is sent again if it recurs. */
  readonly #recent = new Int32Array(recentSize)

  /** @param filter - matches the logs to pack. */
  constructor(filter: TopicFilter) {
    this.#filter = filter
  }

  /**
   * Packs the matching logs of a block.
   *
   * @param receipts - all of the block, verified with it: their logs are numbered in their order.
   * @throws {NodeError} when a field is malformed.
   */
  addBlock(receipts: readonly RawReceipt[]): void {
    const numbers = this.#numbers
    const start = numbers.push(0) - 1
    let count = 0
    let logIndex = 0
    let lastTopic: unknown
    let isMatch = false
    for (const { from, logs } of receipts) {
      let sender: number | undefined
      for (const { address, topics, data } of logs) {
        const index = logIndex++
        const [topic] = topics
        // Adjacent logs are mostly of one event.
        if (index === 0 || topic !== lastTopic) {
          lastTopic = topic
          isMatch = this.#filter.matches(topic)
        }
        if (!isMatch) {
          continue
        }
        count++
        numbers.push(index, topics.length)
        numbers.push(this.#placeOf(address, 20))
        numbers.push((sender ??= this.#placeOf(from, 20)))
        // Data has any length, and strings of equal length beyond some kilobytes have equal hashes.
        numbers.push(this.#strings.push(parseBytes(data)) - 1)
        for (const each of topics) {
          numbers.push(this.#placeOf(each, 32))
        }
      }
    }
    numbers[start] = count
  }

  /** Everything that was added. */
  get packed(): PackedLogs {
    return { strings: this.#strings, numbers: Uint32Array.from(this.#numbers) }
  }

  /** The place of an address or a topic in the strings, all of which are valid. */
  #placeOf(value: unknown, bytes: number): number {
    const strings = this.#strings
    const hash = hashDigits(typeof value === 'string' ? value : '') & (recentSize - 1)
    const place = this.#recent[hash] ?? 0
    const known = strings[place]
    if (known === value && known?.length === 2 + 2 * bytes) {
      return place
    }
    const added = strings.push(parseBytes(value, bytes)) - 1
    this.#recent[hash] = added
    return added
  }
}

/** The logs of one block. */
export class PackedBlock {
  readonly length: number
  readonly #packed: PackedLogs
  readonly #block: BlockRef
  /** Of the first log in the numbers. */
  readonly #start: number

  constructor(packed: PackedLogs, block: BlockRef, start: number) {
    this.length = packed.numbers[start] ?? 0
    this.#packed = packed
    this.#block = block
    this.#start = start + 1
  }

  /** Where the next block starts in the numbers. */
  get end(): number {
    const { numbers } = this.#packed
    let next = this.#start
    for (let remaining = this.length; remaining > 0; remaining--) {
      next += fieldsPerLog + (numbers[next + 1] ?? 0)
    }
    return next
  }

  /** The number of characters of the data of each log. */
  *dataLengths(): Generator<number, void, undefined> {
    const { strings, numbers } = this.#packed
    let next = this.#start
    for (let remaining = this.length; remaining > 0; remaining--) {
      yield strings[numbers[next + 4] ?? 0]?.length ?? 0
      next += fieldsPerLog + (numbers[next + 1] ?? 0)
    }
  }

  unpack(): LogWithSender[] {
    const { strings, numbers } = this.#packed
    const { number: blockNumber, hash: blockHash } = this.#block
    let next = this.#start
    const readNumber = () => numbers[next++] ?? 0
    const readString = () => strings[readNumber()] ?? ''
    const logs: LogWithSender[] = []
    for (let remaining = this.length; remaining > 0; remaining--) {
      const logIndex = readNumber()
      const topics = new Array<string>(readNumber())
      const address = readString()
      const transactionFrom = readString()
      const data = readString()
      for (let index = 0; index < topics.length; index++) {
        topics[index] = readString()
      }
      logs.push({ blockNumber, blockHash, logIndex, address, topics, data, transactionFrom })
    }
    return logs
  }
}

/** @param blocks - those that were packed. */
export function splitBlocks(packed: PackedLogs, blocks: readonly BlockRef[]): PackedBlock[] {
  let start = 0
  return blocks.map((block) => {
    const split = new PackedBlock(packed, block, start)
    start = split.end
    return split
  })
}
