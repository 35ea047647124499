import type { Kysely } from 'kysely'
import { balances, type BalancesParameters } from '@headwater/contract'
import { findKnownBooks } from '../../pricing/loadPriceBooks.ts'
import type { Database } from '../../store/Database.ts'
import type { HandlerContext } from '../Handler.ts'
import type { ChainHeads } from '../loadHeads.ts'
import { addCreationTimes } from '../pricedTokens/addCreationTimes.ts'
import { loadAuditedBlocks } from '../pricedTokens/loadAuditedBlocks.ts'
import { loadTokenPrices, toPriceRequests } from '../pricedTokens/loadTokenPrices.ts'
import type { PricedToken } from '../pricedTokens/priceToken.ts'
import { type BalanceEntry, isSpam, type SortKey, takePage } from './BalanceEntry.ts'
import { limitChainReads } from './limitChainReads.ts'
import { findUnpriced, loadUnpriced } from './loadUnpriced.ts'
import {
  getChainTokens,
  getPriceableTokens,
  loadRows,
  noRows,
  noTokens,
  type StoredWallets,
} from './loadWallets.ts'
import { priceWallet } from './priceWallet.ts'
import type { StoreBalances } from './StoreBalances.ts'

/** What is requested of the store. */
export interface BalancesRequest {
  readonly parameters: BalancesParameters
  /** In lower case. */
  readonly wallet: string
  readonly after: SortKey | undefined
  /** Of the page. */
  readonly limit: number
  readonly isListed: (entry: BalanceEntry) => boolean
}

/** Priced tokens of a wallet from which on its values at a head are kept, for its further pages. */
const minKeptTokens = 100

/** Where balances are loaded from: a snapshot of the store, or wallets that were read from one together with others. */
interface BalancesSource {
  readonly snapshot?: Kysely<Database>
  readonly stored?: StoredWallets
}

/**
 * Loads the balances of a wallet at some heads: its rows, which change with a block that names it, and their prices, which
 * are carried from block to block. A request whose rows and prices are known reads nothing.
 *
 * @param source - without a snapshot, the store is not read.
 * @returns undefined if the store must be read.
 */
export async function loadStoreBalances(
  request: BalancesRequest,
  requested: ChainHeads,
  context: HandlerContext,
  source: { readonly snapshot: Kysely<Database> },
): Promise<StoreBalances>
export async function loadStoreBalances(
  request: BalancesRequest,
  requested: ChainHeads,
  context: HandlerContext,
  source?: BalancesSource,
): Promise<StoreBalances | undefined>
export async function loadStoreBalances(
  { parameters, wallet, after, limit, isListed }: BalancesRequest,
  requested: ChainHeads,
  { headCache, storeCache, priceCache, turns, keyId }: HandlerContext,
  { snapshot, stored }: BalancesSource = {},
): Promise<StoreBalances | undefined> {
  const { chains, heads } = requested
  const { filters, excludeSpamTokens = false, historicalPrices, metadata } = parameters
  const isAudited = metadata?.includes('audit') ?? false
  const hasPools = metadata?.includes('pools') ?? false
  if (!snapshot && (historicalPrices || isAudited || hasPools)) {
    return undefined
  }
  const holder = filters === 'native' || chains.length === 0 ? undefined : wallet
  const onChain =
    holder === undefined
      ? noTokens
      : (stored?.onChain ?? (await getChainTokens(requested, storeCache, snapshot)))
  if (!onChain) {
    return undefined
  }
  const rows =
    holder === undefined
      ? noRows
      : (stored?.rows.get(holder) ??
        (await storeCache.getOrLoad(
          heads,
          [balances.name, holder],
          snapshot &&
            (async () => (await loadRows(snapshot, chains, [holder], onChain)).get(holder)),
        )))
  if (!rows) {
    return undefined
  }
  const tokens = getPriceableTokens(rows, onChain)
  const prices = { chains, heads, tokens, priceCache }
  const subject = [balances.name, holder]
  const run = <Result>(entries: number, part: () => Result) => turns.run(keyId, entries, part)
  const price = async (from: Kysely<Database> | undefined) => {
    const known = await findKnownBooks(toPriceRequests(prices), priceCache, run)
    const books = known ?? (from && (await loadTokenPrices(from, prices)))
    return (
      books &&
      (await priceWallet({
        ...{ chains, books, holdings: rows.priceable },
        ...{ chainTokens: onChain.tokens, held: rows.held.notable },
        run,
      }))
    )
  }
  // The values of a small wallet are computed faster than they are kept at each head.
  const isKept = rows.priceable.length >= minKeptTokens
  const load = async () =>
    isKept
      ? await headCache.getOrLoad(heads, subject, () => price(snapshot))
      : await price(snapshot)
  let loaded = await load()
  // Undefined where it was loaded for a request without a snapshot.
  while (!loaded && snapshot) {
    loaded = await load()
  }
  if (!loaded) {
    return undefined
  }
  const isRead = (priced: PricedToken) => !(excludeSpamTokens && isSpam(priced))
  const natives = filters === 'erc20' ? [] : loaded.natives
  const reads = limitChainReads(loaded.held.filter(isRead), loaded.chainTokens.filter(isRead))
  const fromLedger = takePage(loaded.entries, isListed, after, limit + 1)
  // Unpriced tokens count as spam.
  const missing = excludeSpamTokens ? 0 : limit + 1 - fromLedger.length
  if (missing > 0 && holder !== undefined) {
    if (rows.others) {
      const all = [...rows.priceable, ...rows.others]
      fromLedger.push(...findUnpriced(all, loaded, after, missing))
    } else if (snapshot) {
      const page = { chains, wallet: holder, priced: loaded, after, limit: missing }
      fromLedger.push(...(await loadUnpriced(snapshot, page)))
    } else {
      return undefined
    }
  }
  const listed = [...fromLedger.map(({ holding }) => holding), ...natives, ...reads.tokens]
  const listedTokens = listed.map(({ token }) => token)
  return {
    ...{ requested, fromLedger, natives, reads },
    // The tokens that are not read have no price, and count as spam.
    skipped: excludeSpamTokens ? [] : [onChain.omitted, rows.held.others],
    books:
      historicalPrices && snapshot
        ? await loadTokenPrices(snapshot, {
            ...prices,
            tokens: listedTokens,
            hours: historicalPrices,
          })
        : undefined,
    current: snapshot
      ? await addCreationTimes(snapshot, listedTokens, loaded.books, metadata)
      : loaded.books,
    findAuditedBlock:
      isAudited && snapshot ? await loadAuditedBlocks(snapshot, listedTokens, heads) : undefined,
    dependencies: loaded.dependencies,
    // Any wallet may hold the tokens read from the chain, and the audit finds further holders without a new block.
    isVolatile: onChain.tokens.length > 0 || rows.held.others.size > 0,
    warnings: [],
  }
}
