import type { Kysely } from 'kysely'
import type { ChainConfig } from '../../config/Config.ts'
import type { PriceBook } from '../../pricing/PriceBook.ts'
import type { PriceCache } from '../../pricing/PriceCache.ts'
import type { Database } from '../../store/Database.ts'
import type { Head } from '../loadHeads.ts'
import { type ChainToken, nativeToken } from '../pricedTokens/ChainToken.ts'
import { loadTokenPrices } from '../pricedTokens/loadTokenPrices.ts'
import { type PricedToken, priceToken, valueHolding } from '../pricedTokens/priceToken.ts'
import { type BalanceEntry, compareKeys, toEntry } from './BalanceEntry.ts'
import { loadHeldChainTokens } from './loadHeldChainTokens.ts'
import { loadPriceableHoldings } from './loadPriceableHoldings.ts'

/** The priced part of a wallet at some heads. Its size is bounded, however many tokens are sent to the wallet. */
export interface Wallet {
  /** Priced ERC20 balances from the ledger, in the order of the listing: all that precede the unpriced ones. */
  readonly entries: readonly BalanceEntry[]
  /** Whether a token is among the entries. */
  readonly has: (chainId: number, address: string) => boolean
  readonly natives: readonly PricedToken[]
  /** By chain id; not of chains that are not requested. */
  readonly books: ReadonlyMap<number, PriceBook>
  /** The tokens that may have a price. */
  readonly priceable: readonly ChainToken[]
  /** Of the tokens with balances that are read from the chain, those which it is known to hold, or to have held. */
  readonly held: Awaited<ReturnType<typeof loadHeldChainTokens>>
  /** Number of tokens and assets. */
  readonly weight: number
}

/** Loads, prices and sorts the balances of a wallet; without a wallet, only the native assets. */
export async function loadWallet(
  snapshot: Kysely<Database>,
  {
    chains,
    heads,
    wallet,
    chainTokens,
    priceCache,
  }: {
    readonly chains: readonly ChainConfig[]
    readonly heads: ReadonlyMap<number, Head>
    readonly wallet: string | undefined
    /** The notable tokens with balances that are read from the chain. */
    readonly chainTokens: readonly PricedToken[]
    readonly priceCache: PriceCache
  },
): Promise<Wallet> {
  const isEmpty = wallet === undefined || chains.length === 0
  const fromLedger = isEmpty ? [] : await loadPriceableHoldings(snapshot, chains, wallet)
  const held = isEmpty
    ? { notable: [], others: new Map<number, number>() }
    : await loadHeldChainTokens(snapshot, chains, wallet, chainTokens)
  const tokens = fromLedger.map(({ token }) => token)
  const books = await loadTokenPrices(snapshot, { chains, heads, tokens, priceCache })
  const price = (token: ChainToken) =>
    priceToken(token, books.get(token.chain.id)?.now ?? new Map())
  const entries = fromLedger
    .map(({ token, amount }) => valueHolding(price(token), amount))
    .filter(({ value }) => value !== undefined)
    .map(toEntry)
    .sort((a, b) => compareKeys(a.key, b.key))
  const keys = new Set(entries.map(({ key: [, chainId, address] }) => `${chainId}/${address}`))
  const natives = chains.map(nativeToken).map(price)
  return {
    entries,
    has: (chainId, address) => keys.has(`${chainId}/${address}`),
    natives,
    books,
    priceable: tokens,
    held,
    weight: tokens.length + natives.length + held.notable.length,
  }
}
