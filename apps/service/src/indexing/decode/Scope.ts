import type { ChainConfig } from '../../config/Config.ts'
import type { PriceFeed } from '../../pricing/feeds/chainlink.ts'
import type { PoolEvent, Venue } from '../../pricing/venues/Venue.ts'
import { factoryOptions, venues } from '../../pricing/venues/venues.ts'
import { createLegacyDecoders, type LegacyDecoders } from './legacyCollections.ts'
import { type PoolScope, type StoredScope, toStoredScope } from './StoredScope.ts'

/** Decoders of the events of one factory, by first topic. */
type FactoryDecoders = Readonly<
  Record<string, Venue['creations'][string] | Venue['changes'][string]>
>

/** Which contracts of a chain are indexed, and which are trusted. Addresses are lower case. */
export interface Scope {
  readonly wrappedNative: string | undefined
  /** Whether its `Deposit` and `Withdrawal` change balances: not where it emits a `Transfer` for each as well. */
  readonly countsDeposits: boolean
  /** Addresses whose events are those of the native asset, which are ignored. */
  readonly nativeEmitters: ReadonlySet<string>
  /** Decoders of the events of factories, by factory and first topic. */
  readonly factoryDecoders: ReadonlyMap<string, FactoryDecoders>
  readonly marketplaces: Pick<ReadonlySet<string>, 'has'>
  /** Collections that precede ERC721, by address. */
  readonly legacyCollections: LegacyDecoders
  /** The only contracts with indexed transfers and sales; undefined for all. */
  readonly tokens: ReadonlySet<string> | undefined
  /** Feeds that are read, by address. */
  readonly priceFeeds: ReadonlyMap<string, PriceFeed>
  /** Whether a pool of one of the factories is indexed. */
  readonly indexesPool: (pool: Pick<PoolEvent, 'factory' | 'tokens'>) => boolean
}

/**
 * Emits a `Transfer`, as of an ERC20 token, for each transfer of the native asset on chains with EIP-7708: Arc, and Ethereum from
 * the Amsterdam fork on. It has no code, so that it is not a token on any chain.
 */
const systemAddress = '0xfffffffffffffffffffffffffffffffffffffffe'

/** The addresses whose events are those of the native asset of a chain. */
export function getNativeEmitters({ nativeAliases }: Pick<ChainConfig, 'nativeAliases'>): string[] {
  return [...nativeAliases, systemAddress]
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
    nativeEmitters: new Set(getNativeEmitters(chain)),
    factoryDecoders: createFactoryDecoders(pools),
    marketplaces: new Set(sales.marketplaces),
    tokens: chain.tokens.length > 0 ? new Set(chain.tokens) : undefined,
    legacyCollections: createLegacyDecoders(chain.legacyCollections),
    priceFeeds: new Map(chain.priceFeeds.map((feed) => [feed.address, feed])),
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
    priceFeeds: new Map(),
    indexesPool: (pool) => scope.indexesPool(pool) && !isIndexed(pool),
    marketplaces: new Set(target.sales.marketplaces.filter((each) => !marketplaces.includes(each))),
  }
}

function createFactoryDecoders({ factories }: PoolScope): Map<string, FactoryDecoders> {
  const decoders = new Map<string, FactoryDecoders>()
  for (const option of factoryOptions) {
    const { creations, changes, isSingleton }: Venue = venues[option]
    for (const factory of factories[option] ?? []) {
      decoders.set(factory, {
        ...decoders.get(factory),
        ...creations,
        ...(isSingleton && changes),
      })
    }
  }
  return decoders
}

function createPoolFilter(pools: PoolScope): Scope['indexesPool'] {
  const factories = new Set(Object.values(pools.factories).flat())
  const indexed = pools.tokens && new Set(pools.tokens)
  return ({ factory, tokens }) =>
    factories.has(factory) && (!indexed || tokens.every((token) => indexed.has(token)))
}
