import { createLruCache } from '../createLruCache.ts'

/** Tokens that are counted, the latest ones. */
const maxTokens = 20_000
/** Fewer than one `eth_call` has room for, beside those of token lists. */
const maxCandidates = 64

/** Counts the wallets that were seen to move each token of a chain, so that the first response of another one reads these. */
export class SeenTokens {
  readonly #counts = createLruCache<string, number>(maxTokens)
  /** The tokens of the most wallets, and their counts: each response reads them. */
  readonly #most = new Map<string, number>()
  /** The lowest of these counts, once there are enough. */
  #least = 0

  /** @param tokens - those of a wallet that were not seen with it before. */
  add(tokens: Iterable<string>): void {
    for (const token of tokens) {
      const count = (this.#counts.get(token) ?? 0) + 1
      this.#counts.set(token, count)
      if (count > this.#least) {
        this.#addToMost(token, count)
      }
    }
  }

  /** The tokens of the most wallets. */
  get mostMoved(): string[] {
    return [...this.#most].sort(([, a], [, b]) => b - a).map(([token]) => token)
  }

  #addToMost(token: string, count: number): void {
    this.#most.set(token, count)
    const ordered = [...this.#most].sort(([, a], [, b]) => b - a)
    for (const [evicted] of ordered.slice(maxCandidates)) {
      this.#most.delete(evicted)
    }
    this.#least = ordered[maxCandidates - 1]?.[1] ?? 0
  }
}
