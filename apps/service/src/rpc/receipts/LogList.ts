import type { LogWithSender } from '../methods/Log.ts'
import { PackedBlock } from './packLogs.ts'

/** Logs in their order. Logs that a thread parsed become objects when they are read, as many blocks are fetched ahead. */
export class LogList {
  readonly #parts: readonly (readonly LogWithSender[] | PackedBlock)[]

  constructor(parts: readonly (readonly LogWithSender[] | PackedBlock)[]) {
    this.#parts = parts
  }

  /** Appends lists to one another. */
  static concat(lists: readonly LogList[]): LogList {
    return new LogList(lists.flatMap((list) => list.#parts))
  }

  get length(): number {
    return this.#parts.reduce((sum, { length }) => sum + length, 0)
  }

  /** The number of characters of the data of each log. */
  *dataLengths(): Generator<number, void, undefined> {
    for (const part of this.#parts) {
      if (part instanceof PackedBlock) {
        yield* part.dataLengths()
      } else {
        for (const { data } of part) {
          yield data.length
        }
      }
    }
  }

  toArray(): LogWithSender[] {
    return this.#parts.flatMap((part) => (part instanceof PackedBlock ? part.unpack() : part))
  }
}
