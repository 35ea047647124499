/** The tokens that any wallet may hold. Contracts in lower case. */
export interface ListedTokens {
  /** The configured tokens and the quote tokens. */
  readonly configured: readonly string[]
  /** The tokens of token lists. */
  readonly listed: readonly string[]
}

/** Discovered tokens before those of the lists: anyone can send any number of tokens to a wallet. */
const maxDiscoveredFirst = 1_000

/** Orders the tokens that a wallet may hold, the most likely and relevant ones first, as not all may be read. */
export function orderCandidates(
  { configured, listed }: ListedTokens,
  discovered: ReadonlySet<string>,
): string[] {
  const received = [...discovered]
  return [
    ...new Set([
      ...[...configured, ...listed].filter((token) => discovered.has(token)),
      ...configured,
      ...received.slice(0, maxDiscoveredFirst),
      ...listed,
      ...received,
    ]),
  ]
}
