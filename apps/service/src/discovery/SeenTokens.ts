import { LRUCache } from 'lru-cache'

/** Tokens that are counted, the latest ones. */
const maxTokens = 20_000
/** Fewer than one `eth_call` has room for, beside those of token lists. */
const maxCandidates = 64

/** Counts the wallets that were seen to move each token of a chain, so that the first response of another one reads these. */
export class SeenTokens {
  readonly #counts = new LRUCache<string, number>({ max: maxTokens })

  /** @param tokens - those of a wallet that were not seen with it before. */
  add(tokens: Iterable<string>): void {
    for (const token of tokens) {
      this.#counts.set(token, (this.#counts.get(token) ?? 0) + 1)
    }
  }

  /** The tokens of the most wallets. */
  get mostMoved(): string[] {
    return [...this.#counts.entries()]
      .sort(([, a], [, b]) => b - a)
      .slice(0, maxCandidates)
      .map(([token]) => token)
  }
}
