import type { ChainConfig } from '../config/Config.ts'
import { hubsOf } from '../pricing/hubsOf.ts'

/** What of a chain is indexed, and whose word counts. Addresses are lower case. */
export interface Scope {
  readonly wrappedNative: string | undefined
  /** Whether its `Deposit` and `Withdrawal` move balances: not where a `Transfer` tells the same. */
  readonly countsDeposits: boolean
  readonly uniswapV2Factories: ReadonlySet<string>
  readonly uniswapV3Factories: ReadonlySet<string>
  readonly marketplaces: ReadonlySet<string>
  /** The only contracts whose transfers and sales count; undefined for all. */
  readonly tokens: ReadonlySet<string> | undefined
  /** The only tokens whose pools count, both of a pool's; undefined for all. */
  readonly pooledTokens: ReadonlySet<string> | undefined
}

/** The scope that a chain's configuration asks for. */
export function createScope(chain: ChainConfig): Scope {
  const isLimited = chain.tokens.length > 0
  return {
    wrappedNative: chain.wrappedNative,
    countsDeposits: !chain.wrappedNativeEmitsTransfers,
    uniswapV2Factories: new Set(chain.uniswapV2Factories),
    uniswapV3Factories: new Set(chain.uniswapV3Factories),
    marketplaces: new Set(chain.marketplaces),
    tokens: isLimited ? new Set(chain.tokens) : undefined,
    // A price leads from a token over hubs alone.
    pooledTokens: isLimited ? new Set([...chain.tokens, ...hubsOf(chain)]) : undefined,
  }
}
