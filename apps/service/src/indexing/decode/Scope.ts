import type { ChainConfig } from '../../config/Config.ts'
import { getQuoteTokens } from '../../pricing/getQuoteTokens.ts'
import { createLegacyDecoders, type LegacyDecoders } from './legacyCollections.ts'

/** Which contracts of a chain are indexed, and which are trusted. Addresses are lower case. */
export interface Scope {
  readonly wrappedNative: string | undefined
  /** Whether its `Deposit` and `Withdrawal` change balances: not where it emits a `Transfer` for each as well. */
  readonly countsDeposits: boolean
  readonly uniswapV2Factories: ReadonlySet<string>
  readonly uniswapV3Factories: ReadonlySet<string>
  readonly marketplaces: ReadonlySet<string>
  /** Collections that precede ERC721, by address. */
  readonly legacyCollections: LegacyDecoders
  /** The only contracts with indexed transfers and sales; undefined for all. */
  readonly tokens: ReadonlySet<string> | undefined
  /** Only pools of two of these tokens are indexed; undefined for all. */
  readonly pooledTokens: ReadonlySet<string> | undefined
}

/** Creates the scope of a chain's configuration. */
export function createScope(chain: ChainConfig): Scope {
  const isLimited = chain.tokens.length > 0
  return {
    wrappedNative: chain.wrappedNative,
    countsDeposits: !chain.wrappedNativeEmitsTransfers,
    uniswapV2Factories: new Set(chain.uniswapV2Factories),
    uniswapV3Factories: new Set(chain.uniswapV3Factories),
    marketplaces: new Set(chain.marketplaces),
    tokens: isLimited ? new Set(chain.tokens) : undefined,
    legacyCollections: createLegacyDecoders(chain.legacyCollections),
    // A route from a token to USD passes quote tokens only.
    pooledTokens: isLimited ? new Set([...chain.tokens, ...getQuoteTokens(chain)]) : undefined,
  }
}
