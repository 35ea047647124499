import { WaitingLine } from './WaitingLine.ts'

/** Lets so many tasks run at a time; the others wait in their order. */
export class Slots {
  #free: number
  readonly #line = new WaitingLine()

  constructor(count: number) {
    this.#free = count
  }

  get isFree(): boolean {
    return this.#free > 0
  }

  /** How many tasks wait. */
  get waiting(): number {
    return this.#line.size
  }

  /** Runs the task when there is a slot. One whose signal aborts before does not run. */
  async run<T>(task: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    if (this.#free > 0) this.#free--
    else await this.#line.join(1, signal)
    try {
      signal?.throwIfAborted()
      return await task()
    } finally {
      if (this.#line.call() === undefined) this.#free++
    }
  }
}
