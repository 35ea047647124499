import type { ChainConfig } from '../config/Config.ts'

/** Tokens that are priced by pools with each other, and by which most tokens are priced. */
export function getQuoteTokens({
  stablecoins,
  wrappedNative,
  quoteTokens,
}: ChainConfig): Set<string> {
  return new Set([...stablecoins, ...(wrappedNative ? [wrappedNative] : []), ...quoteTokens])
}
