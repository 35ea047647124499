import type { Kysely } from 'kysely'
import type { ChainConfig } from '../../config/Config.ts'
import { loadPriceBooks } from '../../pricing/loadPriceBooks.ts'
import type { Prices } from '../../pricing/PriceBook.ts'
import type { PriceCache } from '../../pricing/PriceCache.ts'
import type { Database } from '../../store/Database.ts'
import type { Head } from '../loadHeads.ts'
import { nativeToken } from '../pricedTokens/ChainToken.ts'
import { valueHolding } from '../pricedTokens/Holding.ts'
import { priceRequests } from '../pricedTokens/priceRequests.ts'
import { type PricedToken, priceToken } from '../pricedTokens/priceToken.ts'
import { compareByValue, type Entry, toEntry } from './compareByValue.ts'
import { loadPriceableHoldings } from './loadPriceableHoldings.ts'

/** What is worth something in a wallet at some heads. Its size is bounded, however much anybody sent to the wallet. */
export interface Wallet {
  /** Priced ERC20 tokens by the ledger, in the order of the listing: all that comes before the unpriced ones. */
  readonly entries: readonly Entry[]
  /** Whether a token is among them. */
  readonly has: (chainId: number, address: string) => boolean
  /** Assets whose amounts only the chain tells: the native ones, and tokens whose ledger disagreed with it. */
  readonly unread: readonly PricedToken[]
  /** How many entries and unread assets there are. */
  readonly weight: number
}

/**
 * Loads, prices and sorts what a wallet has of tokens that have a price.
 *
 * @param wallet - undefined to load only the native assets.
 */
export async function loadWallet(
  snapshot: Kysely<Database>,
  chains: readonly ChainConfig[],
  heads: ReadonlyMap<number, Head>,
  wallet: string | undefined,
  priceMemory: PriceCache,
): Promise<Wallet> {
  const { held, unread } =
    wallet === undefined
      ? { held: [], unread: [] }
      : await loadPriceableHoldings(snapshot, chains, wallet)
  const requests = priceRequests(chains, heads, [...held.map(({ token }) => token), ...unread])
  const books = await loadPriceBooks(snapshot, requests, [], priceMemory)
  const pricesOf = ({ id }: ChainConfig): Prices => books.get(id)?.now ?? new Map()
  const entries = held
    .map(({ token, amount }) =>
      toEntry(valueHolding(priceToken(token, pricesOf(token.chain)), amount)),
    )
    .filter(({ key: [value] }) => value !== null)
    .sort((a, b) => compareByValue(a.key, b.key))
  const addresses = new Set(entries.map(({ key: [, chainId, address] }) => `${chainId}/${address}`))
  const assets = [...chains.map(nativeToken), ...unread].map((token) =>
    priceToken(token, pricesOf(token.chain)),
  )
  return {
    entries,
    has: (chainId, address) => addresses.has(`${chainId}/${address}`),
    unread: assets,
    weight: entries.length + assets.length,
  }
}
