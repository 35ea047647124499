import type { BlockRef } from '../methods/BlockHeader.ts'
import type { Log, RawReceipt } from '../methods/Log.ts'
import { parseBytes } from '../methods/parseHex.ts'
import { hashDigits } from '../verify/hashDigits.ts'
import type { TopicFilter } from '../verify/TopicFilter.ts'

/** A power of two: there are fewer different addresses and topics in most responses. */
const recentSize = 2 ** 15

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

/**
 * @param blocks - those that were packed.
 * @returns the logs of each.
 */
export function unpackLogs(
  { strings, numbers }: PackedLogs,
  blocks: readonly BlockRef[],
): readonly Log[][] {
  let next = 0
  const readNumber = () => numbers[next++] ?? 0
  const readString = () => strings[readNumber()] ?? ''
  return blocks.map(({ number, hash }) => {
    const logs: Log[] = []
    for (let remaining = readNumber(); remaining > 0; remaining--) {
      const logIndex = readNumber()
      const topics = new Array<string>(readNumber())
      const address = readString()
      const transactionFrom = readString()
      const data = readString()
      for (let index = 0; index < topics.length; index++) {
        topics[index] = readString()
      }
      const block = { blockNumber: number, blockHash: hash }
      logs.push({ ...block, logIndex, address, topics, data, transactionFrom })
    }
    return logs
  })
}
