import type { Kysely } from 'kysely'
import type { ChainConfig } from '../../config/Config.ts'
import type { PriceCache } from '../../pricing/PriceCache.ts'
import type { Database } from '../../store/Database.ts'
import type { Head } from '../loadHeads.ts'
import { type ChainToken, nativeToken } from '../pricedTokens/ChainToken.ts'
import { loadTokenPrices } from '../pricedTokens/loadTokenPrices.ts'
import { type PricedToken, priceToken, valueHolding } from '../pricedTokens/priceToken.ts'
import { type BalanceEntry, compareKeys, toEntry } from './BalanceEntry.ts'
import { loadPriceableHoldings } from './loadPriceableHoldings.ts'

/** The priced part of a wallet at some heads. Its size is bounded, however many tokens are sent to the wallet. */
export interface Wallet {
  /** Priced ERC20 balances from the ledger, in the order of the listing: all that precede the unpriced ones. */
  readonly entries: readonly BalanceEntry[]
  /** Whether a token is among the entries. */
  readonly has: (chainId: number, address: string) => boolean
  /** Assets with balances to be read from the chain: native ones, and tokens with a ledger that differs from it that the
   * wallet is known to hold, or to have held. */
  readonly onChain: readonly PricedToken[]
  /** Number of entries and assets. */
  readonly weight: number
}

/** Loads, prices and sorts the balances of a wallet; without a wallet, only the native assets. */
export async function loadWallet(
  snapshot: Kysely<Database>,
  {
    chains,
    heads,
    wallet,
    priceCache,
  }: {
    readonly chains: readonly ChainConfig[]
    readonly heads: ReadonlyMap<number, Head>
    readonly wallet: string | undefined
    readonly priceCache: PriceCache
  },
): Promise<Wallet> {
  const { fromLedger, fromChain } =
    wallet === undefined
      ? { fromLedger: [], fromChain: [] }
      : await loadPriceableHoldings(snapshot, chains, wallet)
  const tokens = [...fromLedger.map(({ token }) => token), ...fromChain]
  const books = await loadTokenPrices(snapshot, { chains, heads, tokens, priceCache })
  const price = (token: ChainToken) =>
    priceToken(token, books.get(token.chain.id)?.now ?? new Map())
  const entries = fromLedger
    .map(({ token, amount }) => valueHolding(price(token), amount))
    .filter(({ value }) => value !== undefined)
    .map(toEntry)
    .sort((a, b) => compareKeys(a.key, b.key))
  const keys = new Set(entries.map(({ key: [, chainId, address] }) => `${chainId}/${address}`))
  const onChain = [...chains.map(nativeToken), ...fromChain].map(price)
  return {
    entries,
    has: (chainId, address) => keys.has(`${chainId}/${address}`),
    onChain,
    weight: entries.length + onChain.length,
  }
}
