import type { BlockRef } from '../methods/BlockHeader.ts'
import type { Log } from '../methods/Log.ts'
import { hashDigits } from '../verify/hashDigits.ts'

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

/** @param blocks - the logs of each, in their order. */
export function packLogs(blocks: readonly (readonly Log[])[]): PackedLogs {
  const strings: string[] = []
  const numbers: number[] = []
  // Of two strings with the same hash, the later one replaces the other, which is sent again if it recurs.
  const recent = new Int32Array(recentSize)
  const pushRecurring = (text: string) => {
    const hash = hashDigits(text) & (recentSize - 1)
    let place = recent[hash] ?? 0
    if (strings[place] !== text) {
      place = strings.push(text) - 1
      recent[hash] = place
    }
    numbers.push(place)
  }
  for (const logs of blocks) {
    numbers.push(logs.length)
    for (const { logIndex, address, topics, data, transactionFrom } of logs) {
      numbers.push(logIndex, topics.length)
      pushRecurring(address)
      pushRecurring(transactionFrom)
      // Data has any length, and strings of equal length beyond some kilobytes have equal hashes.
      numbers.push(strings.push(data) - 1)
      for (const topic of topics) {
        pushRecurring(topic)
      }
    }
  }
  return { strings, numbers: Uint32Array.from(numbers) }
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
