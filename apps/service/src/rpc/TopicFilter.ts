import { createBloomFilter } from './createBloomFilter.ts'

/** Which logs are wanted: those whose first topic is one of these, of any contract. */
export class TopicFilter {
  readonly topics: readonly string[]
  /** Whether a block of this bloom may have such a log. False is certain. */
  readonly mayBeIn: (logsBloom: string | undefined) => boolean
  readonly #set: ReadonlySet<unknown>

  /** @param topics lower case. */
  constructor(topics: readonly string[]) {
    this.topics = topics
    this.mayBeIn = createBloomFilter(topics)
    this.#set = new Set(topics)
  }

  /** Whether a log of this first topic is wanted, as a node spelt it. */
  has(topic: unknown): boolean {
    return this.#set.has(topic) || (typeof topic === 'string' && this.#set.has(topic.toLowerCase()))
  }
}
