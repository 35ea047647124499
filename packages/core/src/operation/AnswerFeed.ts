import type { OperationName } from './OperationName.ts'

/** An answer that came over the network. */
export interface HeardAnswer {
  readonly operation: OperationName
  /** What was asked, normalized. */
  readonly parameters: object
  /** What was answered, as far as it can be read. */
  readonly answer: object
  /** When it came, by the local clock in milliseconds. */
  readonly receivedAt: number
}

type Listener = (heard: HeardAnswer) => void

/** Tells of every answer of the network, whoever asked for it. What caches bring by other ways is not told. */
export class AnswerFeed {
  readonly #listeners = new Set<Listener>()

  /**
   * Listens to all answers from now on.
   *
   * @returns Ends it.
   */
  add(listener: Listener): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Tells all listeners of an answer. */
  tell(heard: HeardAnswer): void {
    for (const listener of this.#listeners) listener(heard)
  }
}
