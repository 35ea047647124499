import type { Kysely } from 'kysely'
import type { ChainConfig } from '../../config/Config.ts'
import { loadPriceBooks } from '../../pricing/loadPriceBooks.ts'
import type { Prices } from '../../pricing/PriceBook.ts'
import type { Database } from '../../store/Database.ts'
import type { Head } from '../loadHeads.ts'
import { compareByValue, type SortKey, sortKeyOf } from './compareByValue.ts'
import { loadTokenHoldings } from './loadTokenHoldings.ts'
import { type PricedHolding, priceHolding } from './priceHolding.ts'
import { priceRequests } from './priceRequests.ts'

/** A priced holding and its place in the listing. */
export interface Entry {
  readonly priced: PricedHolding
  readonly key: SortKey
}

/** The ERC20 part of a wallet at some heads. */
export interface PricedTokens {
  /** In the order of the listing. */
  readonly entries: readonly Entry[]
  /** What the native asset of each chain is priced by, by chain id. */
  readonly nativePrices: ReadonlyMap<number, Prices>
}

/**
 * Loads, prices and sorts what a wallet has of ERC20 tokens.
 *
 * @param wallet undefined to load only what prices the native assets.
 */
export async function loadPricedTokens(
  snapshot: Kysely<Database>,
  chains: readonly ChainConfig[],
  heads: ReadonlyMap<number, Head>,
  wallet: string | undefined,
): Promise<PricedTokens> {
  const tokens = wallet === undefined ? [] : await loadTokenHoldings(snapshot, chains, wallet)
  const books = await loadPriceBooks(snapshot, priceRequests(chains, heads, tokens), [])
  const pricesOf = ({ id }: ChainConfig): Prices => books.get(id)?.now ?? new Map()
  return {
    entries: tokens
      .map((holding) => toEntry(priceHolding(holding, pricesOf(holding.chain))))
      .sort((a, b) => compareByValue(a.key, b.key)),
    nativePrices: new Map(
      chains.map((chain) => {
        const route = chain.wrappedNative && pricesOf(chain).get(chain.wrappedNative)
        return [chain.id, new Map(route ? [[chain.wrappedNative ?? '', route]] : [])]
      }),
    ),
  }
}

/** Gives a priced holding its place. */
export function toEntry(priced: PricedHolding): Entry {
  return { priced, key: sortKeyOf(priced) }
}
