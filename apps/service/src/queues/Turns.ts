import { setImmediate } from 'node:timers/promises'
import { FairQueue } from './FairQueue.ts'

/** Work on fewer entries than this takes less than a millisecond, and runs at once. */
const maxAtOnce = 100
/** Entries of a part of larger work: some milliseconds. */
export const entriesPerTurn = 500

/**
 * Runs long computations in parts, so that other requests are served between these. One part runs at a time, and the time is
 * shared fairly among accounts, such as API keys.
 */
export class Turns {
  readonly #queue = new FairQueue({ permits: 1 })

  /**
   * Runs a part, or work that is small, at once.
   *
   * @param entries - how many it processes.
   */
  async run<Result>(account: unknown, entries: number, part: () => Result): Promise<Result> {
    if (entries <= maxAtOnce) {
      return part()
    }
    return await this.#queue.run(account, async () => {
      await setImmediate()
      return part()
    })
  }
}
