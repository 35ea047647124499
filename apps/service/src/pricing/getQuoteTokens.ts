import type { ChainConfig } from '../config/Config.ts'

/** The tokens that a route to USD may pass: few, so that the search is cheap regardless of the number of pools. */
export function getQuoteTokens({
  stablecoins,
  wrappedNative,
  quoteTokens,
}: ChainConfig): Set<string> {
  return new Set([...stablecoins, ...(wrappedNative ? [wrappedNative] : []), ...quoteTokens])
}
