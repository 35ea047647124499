import type { ChainConfig, LegacyCollection } from '../../config/Config.ts'
import { getQuoteTokens } from '../../pricing/getQuoteTokens.ts'
import { type FactoryOption, factoryOptions } from '../../pricing/venues/venues.ts'

/**
 * The settings that decide which rows are indexed, by the kind of rows: pools and sales can be added and removed
 * separately, and everything else is derived from the ledger. Lists are sorted, so that equal scopes have equal JSON.
 */
export interface StoredScope {
  readonly ledger: {
    readonly startBlock: number
    readonly wrappedNative?: string
    readonly wrappedNativeEmitsTransfers: boolean
    /** Absent for none. */
    readonly nativeAliases?: readonly string[]
    /** Absent for none. */
    readonly legacyCollections?: readonly LegacyCollection[]
    /** Absent for all tokens. */
    readonly tokens?: readonly string[]
  }
  readonly pools: PoolScope
  readonly sales: { readonly marketplaces: readonly string[] }
}

/** Which pools are indexed. */
export interface PoolScope {
  /** By option of the configuration; venues without factories are absent. */
  readonly factories: Readonly<Partial<Record<FactoryOption, readonly string[]>>>
  /** Only pools of two of these tokens; absent for all. */
  readonly tokens?: readonly string[]
}

/** The scope of a chain's configuration. */
export function toStoredScope(chain: ChainConfig): StoredScope {
  const { startBlock, wrappedNative, wrappedNativeEmitsTransfers } = chain
  const { legacyCollections, nativeAliases, tokens } = chain
  return {
    ledger: {
      startBlock,
      ...(wrappedNative !== undefined && { wrappedNative }),
      wrappedNativeEmitsTransfers,
      ...(nativeAliases.length > 0 && { nativeAliases: nativeAliases.toSorted() }),
      ...(legacyCollections.length > 0 && {
        legacyCollections: legacyCollections.toSorted((a, b) => (a.address < b.address ? -1 : 1)),
      }),
      ...(tokens.length > 0 && { tokens: tokens.toSorted() }),
    },
    pools: {
      factories: toFactories((option) => chain[option].toSorted()),
      // A chain with selected tokens is priced by the pools of two of these and the quote tokens.
      ...(tokens.length > 0 && {
        tokens: [...new Set([...tokens, ...getQuoteTokens(chain)])].sort(),
      }),
    },
    sales: { marketplaces: chain.marketplaces.toSorted() },
  }
}

/** Whether two scopes, or parts of them, are the same. */
export function isSameScope<Part>(a: Part, b: Part): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

/** The pools and sales that both scopes have, of the same ledger. */
export function intersectScopes({ ledger, pools, sales }: StoredScope, other: StoredScope) {
  const isShared = (list: readonly string[]) => (each: string) => list.includes(each)
  const { factories, tokens } = pools
  return {
    ledger,
    pools: {
      factories: toFactories((option) =>
        (factories[option] ?? []).filter(isShared(other.pools.factories[option] ?? [])),
      ),
      ...(tokens && { tokens: tokens.filter(isShared(other.pools.tokens ?? tokens)) }),
    },
    sales: { marketplaces: sales.marketplaces.filter(isShared(other.sales.marketplaces)) },
  } satisfies StoredScope
}

/** A scope without the factories of some venues. */
export function excludeFactories(
  scope: StoredScope,
  isExcluded: (option: FactoryOption) => boolean,
): StoredScope {
  const { pools } = scope
  const factories = toFactories((option) =>
    isExcluded(option) ? [] : (pools.factories[option] ?? []),
  )
  return { ...scope, pools: { ...pools, factories } }
}

function toFactories(
  getFactories: (option: FactoryOption) => readonly string[],
): PoolScope['factories'] {
  const entries = factoryOptions.map((option) => [option, getFactories(option)] as const)
  return Object.fromEntries(entries.filter(([, factories]) => factories.length > 0))
}
