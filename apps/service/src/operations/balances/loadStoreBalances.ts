import type { Kysely } from 'kysely'
import { balances, type BalancesParameters } from '@headwater/contract'
import { getKnownBooks } from '../../pricing/loadPriceBooks.ts'
import type { Database } from '../../store/Database.ts'
import type { HandlerContext } from '../Handler.ts'
import type { ChainHeads } from '../loadHeads.ts'
import { loadAuditedBlocks } from '../pricedTokens/loadAuditedBlocks.ts'
import { loadTokenPrices, toPriceRequests } from '../pricedTokens/loadTokenPrices.ts'
import type { PricedToken } from '../pricedTokens/priceToken.ts'
import type { CachedValue } from '../StoreCache.ts'
import { type BalanceEntry, isSpam, type SortKey, takePage } from './BalanceEntry.ts'
import { limitChainReads } from './limitChainReads.ts'
import { type ChainTokens, loadChainTokens } from './loadChainTokens.ts'
import { type HeldChainTokens, loadHeldChainTokens } from './loadHeldChainTokens.ts'
import { type Holdings, loadHoldings } from './loadHoldings.ts'
import { findUnpriced, loadUnpriced } from './loadUnpriced.ts'
import { priceWallet } from './priceWallet.ts'
import type { StoreBalances } from './StoreBalances.ts'

/** What is requested of the store. */
interface BalancesRequest {
  readonly parameters: BalancesParameters
  /** In lower case. */
  readonly wallet: string
  readonly after: SortKey | undefined
  /** Of the page. */
  readonly limit: number
  readonly isListed: (entry: BalanceEntry) => boolean
}

/** The rows of a wallet, which are the same until a block changes them. */
interface WalletRows extends Holdings, CachedValue {
  readonly held: HeldChainTokens
}

/**
 * Loads the balances of a wallet at some heads: its rows, which change with a block that names it, and their prices, which
 * are carried from block to block. A request whose rows and prices are known reads nothing.
 *
 * @param snapshot - without it, nothing is read.
 * @returns undefined if the store must be read.
 */
export async function loadStoreBalances(
  request: BalancesRequest,
  requested: ChainHeads,
  context: HandlerContext,
  snapshot: Kysely<Database>,
): Promise<StoreBalances>
export async function loadStoreBalances(
  request: BalancesRequest,
  requested: ChainHeads,
  context: HandlerContext,
): Promise<StoreBalances | undefined>
export async function loadStoreBalances(
  { parameters, wallet, after, limit, isListed }: BalancesRequest,
  requested: ChainHeads,
  { headCache, storeCache, priceCache }: HandlerContext,
  snapshot?: Kysely<Database>,
): Promise<StoreBalances | undefined> {
  const { chains, heads } = requested
  const { filters, excludeSpamTokens = false, historicalPrices, metadata } = parameters
  const isAudited = metadata?.includes('audit') ?? false
  if (!snapshot && (historicalPrices || isAudited)) {
    return undefined
  }
  const holder = filters === 'native' || chains.length === 0 ? undefined : wallet
  const onChain =
    holder === undefined
      ? noTokens
      : await storeCache.getOrLoad(
          heads,
          [balances.name, 'tokens read from the chain'],
          snapshot && (() => loadChainTokens(snapshot, chains)),
        )
  const rows =
    onChain && holder !== undefined
      ? await storeCache.getOrLoad(
          heads,
          [balances.name, holder],
          snapshot && (() => loadRows(snapshot, requested, holder, onChain)),
        )
      : noRows
  if (!onChain || !rows) {
    return undefined
  }
  const tokens = [...rows.priceable.map(({ token }) => token), ...onChain.tokens]
  const prices = { chains, heads, tokens, priceCache }
  const books = snapshot
    ? await loadTokenPrices(snapshot, prices)
    : getKnownBooks(toPriceRequests(prices), priceCache)
  if (!books) {
    return undefined
  }
  const loaded = await headCache.getOrLoad(heads, [balances.name, holder], () =>
    Promise.resolve(
      priceWallet({
        ...{ chains, books, holdings: rows.priceable },
        ...{ chainTokens: onChain.tokens, held: rows.held.notable },
      }),
    ),
  )
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
    current: loaded.books,
    findAuditedBlock:
      isAudited && snapshot ? await loadAuditedBlocks(snapshot, listedTokens, heads) : undefined,
    priced: [
      ...rows.priceable.map(({ token }) => token),
      ...reads.tokens.map(({ token }) => token),
    ],
    // Any wallet may hold the tokens read from the chain, and the audit finds further holders without a new block.
    isVolatile: onChain.tokens.length > 0 || rows.held.others.size > 0,
    warnings: [],
  }
}

const noDependencies = { dependencies: new Map<number, never>(), isVolatile: false, weight: 0 }
const noTokens: ChainTokens = { ...noDependencies, tokens: [], omitted: new Map() }
const noRows: WalletRows = {
  ...noDependencies,
  ...{ priceable: [], others: [], held: { notable: [], others: new Map() } },
}

async function loadRows(
  snapshot: Kysely<Database>,
  { chains }: ChainHeads,
  wallet: string,
  { tokens }: ChainTokens,
): Promise<WalletRows> {
  const holdings = await loadHoldings(snapshot, chains, wallet)
  const held = await loadHeldChainTokens(snapshot, chains, wallet, tokens)
  return {
    ...{ ...holdings, held },
    dependencies: new Map(chains.map(({ id }) => [id, { holders: [wallet] }])),
    isVolatile: tokens.length > 0 || held.others.size > 0,
    weight: holdings.priceable.length + (holdings.others?.length ?? 0) + held.notable.length,
  }
}
