import { FifoQueue } from './FifoQueue.ts'

type Task = () => Promise<unknown>

/** Limits how many tasks run at once. The others wait, first in, first out. */
export class Semaphore {
  readonly #queue = new FifoQueue<Task>()
  #permits: number

  /** @param permits - how many tasks may run at once. */
  constructor(permits: number) {
    this.#permits = permits
  }

  /** Whether a task would start at once. */
  get isFree(): boolean {
    return this.#permits > 0
  }

  /** How many tasks wait. */
  get pendingCount(): number {
    return this.#queue.length
  }

  /**
   * Runs a task once a permit is free.
   *
   * @param signal - the task does not start once it is aborted.
   * @throws {unknown} what the task throws, or the signal's reason.
   */
  async run<T>(task: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    if (this.#permits > 0) {
      this.#permits--
    } else {
      await this.#queue.enqueue(task, signal)
    }
    try {
      signal?.throwIfAborted()
      return await task()
    } finally {
      if (!this.#queue.dequeue()) {
        this.#permits++
      }
    }
  }
}
