import { getBloomBits, mayContain } from './bloom.ts'

/** Matches logs of any contract by their first topic. */
export class TopicFilter {
  readonly topics: readonly string[]
  readonly #skipsBlocks: boolean
  readonly #set: ReadonlySet<unknown>
  readonly #bits: readonly number[][]

  /**
   * @param topics - lower case.
   * @param options.skipsBlocks - whether blocks without matching logs need not be fetched: for rare events.
   */
  constructor(topics: readonly string[], { skipsBlocks = false } = {}) {
    this.topics = topics
    this.#skipsBlocks = skipsBlocks
    this.#set = new Set(topics)
    this.#bits = topics.map(getBloomBits)
  }

  /** Whether a first topic matches, in the case that a node returned it. */
  matches(topic: unknown): boolean {
    return this.#set.has(topic) || (typeof topic === 'string' && this.#set.has(topic.toLowerCase()))
  }

  /** Whether a block with this `logsBloom` may have a matching log. False is certain; a block without bloom always may. */
  mayMatch(logsBloom: string | undefined): boolean {
    return logsBloom === undefined || this.#bits.some((bits) => mayContain(logsBloom, bits))
  }

  /** Whether a block need not be fetched. An empty bloom filter proves nothing, as some chains leave all of them empty. */
  skips(logsBloom: string | undefined): boolean {
    return (
      this.#skipsBlocks &&
      logsBloom !== undefined &&
      /[^0x]/.test(logsBloom) &&
      !this.mayMatch(logsBloom)
    )
  }
}
