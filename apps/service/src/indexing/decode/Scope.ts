import type { ChainConfig } from '../../config/Config.ts'
import type { PoolEvent } from './DecodedEvent.ts'
import { createLegacyDecoders, type LegacyDecoders } from './legacyCollections.ts'
import { type PoolScope, type StoredScope, toStoredScope } from './StoredScope.ts'

/** Which contracts of a chain are indexed, and which are trusted. Addresses are lower case. */
export interface Scope {
  readonly wrappedNative: string | undefined
  /** Whether its `Deposit` and `Withdrawal` change balances: not where it emits a `Transfer` for each as well. */
  readonly countsDeposits: boolean
  /** Contracts whose events are those of the native asset, which are ignored. */
  readonly nativeAliases: ReadonlySet<string>
  readonly uniswapV2Factories: ReadonlySet<string>
  readonly uniswapV3Factories: ReadonlySet<string>
  readonly marketplaces: ReadonlySet<string>
  /** Collections that precede ERC721, by address. */
  readonly legacyCollections: LegacyDecoders
  /** The only contracts with indexed transfers and sales; undefined for all. */
  readonly tokens: ReadonlySet<string> | undefined
  /** Whether a pool of one of the factories is indexed. */
  readonly indexesPool: (pool: Pick<PoolEvent, 'factory' | 'token0' | 'token1'>) => boolean
}

/**
 * Creates the scope of a chain's configuration.
 *
 * @param indexed - the pools and sales to index, by default those of the configuration.
 */
export function createScope(
  chain: ChainConfig,
  { pools, sales }: Pick<StoredScope, 'pools' | 'sales'> = toStoredScope(chain),
): Scope {
  return {
    wrappedNative: chain.wrappedNative,
    countsDeposits: !chain.wrappedNativeEmitsTransfers,
    nativeAliases: new Set(chain.nativeAliases),
    uniswapV2Factories: new Set(pools.uniswapV2Factories),
    uniswapV3Factories: new Set(pools.uniswapV3Factories),
    marketplaces: new Set(sales.marketplaces),
    tokens: chain.tokens.length > 0 ? new Set(chain.tokens) : undefined,
    legacyCollections: createLegacyDecoders(chain.legacyCollections),
    indexesPool: createPoolFilter(pools),
  }
}

/** Creates the scope of the pools and sales that are in `target` and not in `indexed`. */
export function createAddedScope(
  chain: ChainConfig,
  indexed: StoredScope,
  target: StoredScope,
): Scope {
  const scope = createScope(chain, target)
  const isIndexed = createPoolFilter(indexed.pools)
  const { marketplaces } = indexed.sales
  return {
    ...scope,
    indexesPool: (pool) => scope.indexesPool(pool) && !isIndexed(pool),
    marketplaces: new Set(target.sales.marketplaces.filter((each) => !marketplaces.includes(each))),
  }
}

function createPoolFilter(pools: PoolScope): Scope['indexesPool'] {
  const factories = new Set([...pools.uniswapV2Factories, ...pools.uniswapV3Factories])
  const tokens = pools.tokens && new Set(pools.tokens)
  return ({ factory, token0, token1 }) =>
    factories.has(factory) && (!tokens || (tokens.has(token0) && tokens.has(token1)))
}
