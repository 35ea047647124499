/** Most tokens of a chain that are kept. */
const maxTokens = 100_000

/**
 * The tokens of chains whose prices are not carried from block to block any more. Responses keep these prices until a pool of the
 * token changes, or the epoch ends.
 */
export class DroppedTokens {
  readonly #tokens = new Map<number, Set<string>>()

  /** @returns false when there are too many: all prices count as changed then, and none is kept. */
  add(chainId: number, tokens: readonly string[]): boolean {
    const dropped = this.#tokens.get(chainId) ?? new Set()
    this.#tokens.set(chainId, dropped)
    tokens.forEach((token) => dropped.add(token))
    if (dropped.size > maxTokens) {
      this.#tokens.delete(chainId)
      return false
    }
    return true
  }

  /** Removes and returns those of a chain, once its epoch ended. */
  take(chainId: number): ReadonlySet<string> {
    const dropped = this.#tokens.get(chainId) ?? new Set()
    this.#tokens.delete(chainId)
    return dropped
  }
}
