import type { ChainConfig } from '../config/Config.ts'

/** The tokens that a route to USD may pass. Few, so that finding routes stays cheap however many pools a chain has. */
export function quoteTokensOf({
  stablecoins,
  wrappedNative,
  quoteTokens,
}: ChainConfig): Set<string> {
  return new Set([...stablecoins, ...(wrappedNative ? [wrappedNative] : []), ...quoteTokens])
}
