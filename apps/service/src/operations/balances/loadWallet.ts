import type { Kysely } from 'kysely'
import type { ChainConfig } from '../../config/Config.ts'
import { loadPriceBooks } from '../../pricing/loadPriceBooks.ts'
import type { Prices } from '../../pricing/PriceBook.ts'
import type { PriceMemory } from '../../pricing/PriceMemory.ts'
import type { Database } from '../../store/Database.ts'
import type { Head } from '../loadHeads.ts'
import { nativeToken } from '../pricedTokens/ChainToken.ts'
import { valueHolding } from '../pricedTokens/Holding.ts'
import { priceRequests } from '../pricedTokens/priceRequests.ts'
import { type PricedToken, priceToken } from '../pricedTokens/priceToken.ts'
import { compareByValue, type Entry, toEntry } from './compareByValue.ts'
import { loadTokenHoldings } from './loadTokenHoldings.ts'

/** What the store knows of a wallet at some heads. */
interface Wallet {
  /** ERC20 tokens by the ledger, in the order of the listing. */
  readonly entries: readonly Entry[]
  /** Assets whose amounts only the chain tells: the native ones, and tokens whose ledger disagreed with it. */
  readonly unread: readonly PricedToken[]
}

/**
 * Loads, prices and sorts what a wallet has.
 *
 * @param wallet undefined to load only the native assets.
 */
export async function loadWallet(
  snapshot: Kysely<Database>,
  chains: readonly ChainConfig[],
  heads: ReadonlyMap<number, Head>,
  wallet: string | undefined,
  priceMemory: PriceMemory,
): Promise<Wallet> {
  const { held, unread } =
    wallet === undefined
      ? { held: [], unread: [] }
      : await loadTokenHoldings(snapshot, chains, wallet)
  const requests = priceRequests(chains, heads, [...held.map(({ token }) => token), ...unread])
  const books = await loadPriceBooks(snapshot, requests, [], priceMemory)
  const pricesOf = ({ id }: ChainConfig): Prices => books.get(id)?.now ?? new Map()
  return {
    entries: held
      .map(({ token, amount }) =>
        toEntry(valueHolding(priceToken(token, pricesOf(token.chain)), amount)),
      )
      .sort((a, b) => compareByValue(a.key, b.key)),
    unread: [...chains.map(nativeToken), ...unread].map((token) =>
      priceToken(token, pricesOf(token.chain)),
    ),
  }
}
