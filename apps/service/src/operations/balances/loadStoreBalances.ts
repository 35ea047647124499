import type { Kysely } from 'kysely'
import { balances, type BalancesParameters } from '@headwater/contract'
import type { ChainConfig } from '../../config/Config.ts'
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
import type { ChainTokens } from './loadChainTokens.ts'
import { findUnpriced, loadUnpriced } from './loadUnpriced.ts'
import {
  getChainTokens,
  getPriceableTokens,
  loadRows,
  noRows,
  noTokens,
  type StoredWallets,
  type WalletRows,
} from './loadWallets.ts'
import { type PricedWallet, priceWallet } from './priceWallet.ts'
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
  request: BalancesRequest,
  requested: ChainHeads,
  context: HandlerContext,
  source: BalancesSource = {},
): Promise<StoreBalances | undefined> {
  const { snapshot } = source
  const { chains, heads } = requested
  const { filters, excludeSpamTokens = false, historicalPrices, metadata } = request.parameters
  const isAudited = metadata?.includes('audit') ?? false
  const hasPools = metadata?.includes('pools') ?? false
  if (!snapshot && (historicalPrices || isAudited || hasPools)) {
    return undefined
  }
  const { wallet } = request
  const rows =
    filters === 'native' || chains.length === 0
      ? nothing
      : await findRows(wallet, requested, context, source)
  const priced = rows && (await price(wallet, rows, requested, context, snapshot))
  const fromLedger = priced && (await listLedger(request, rows, priced, chains, snapshot))
  if (!fromLedger) {
    return undefined
  }
  const isRead = (token: PricedToken) => !(excludeSpamTokens && isSpam(token))
  const natives = filters === 'erc20' ? [] : priced.natives
  const reads = limitChainReads(priced.held.filter(isRead), priced.chainTokens.filter(isRead))
  const listed = [...fromLedger.map(({ holding }) => holding), ...natives, ...reads.tokens]
  const tokens = listed.map(({ token }) => token)
  const { onChain, held } = rows
  return {
    requested,
    fromLedger,
    natives,
    reads,
    // The tokens that are not read have no price, and count as spam.
    skipped: excludeSpamTokens ? [] : [onChain.omitted, held.others],
    pastBooks:
      historicalPrices && snapshot
        ? await loadTokenPrices(snapshot, {
            chains,
            heads,
            tokens,
            hours: historicalPrices,
            priceCache: context.priceCache,
          })
        : undefined,
    books: snapshot
      ? await addCreationTimes(snapshot, tokens, priced.books, metadata)
      : priced.books,
    findAuditedBlock:
      isAudited && snapshot ? await loadAuditedBlocks(snapshot, tokens, heads) : undefined,
    dependencies: priced.dependencies,
    // Any wallet may hold the tokens read from the chain, and the audit finds further holders without a new block.
    isVolatile: onChain.tokens.length > 0 || held.others.size > 0,
    warnings: [],
  }
}

/** The rows of a wallet, and the tokens of which any wallet may have a balance without a row. */
interface FoundRows extends WalletRows {
  readonly onChain: ChainTokens
}

const nothing: FoundRows = { ...noRows, onChain: noTokens }

/** @returns undefined if the store must be read. */
async function findRows(
  wallet: string,
  requested: ChainHeads,
  { storeCache }: HandlerContext,
  { snapshot, stored }: BalancesSource,
): Promise<FoundRows | undefined> {
  const { chains, heads } = requested
  const onChain = stored?.onChain ?? (await getChainTokens(requested, storeCache, snapshot))
  if (!onChain) {
    return undefined
  }
  const load =
    snapshot && (async () => (await loadRows(snapshot, chains, [wallet], onChain)).get(wallet))
  const rows =
    stored?.rows.get(wallet) ?? (await storeCache.getOrLoad(heads, [balances.name, wallet], load))
  return rows && { ...rows, onChain }
}

/** @returns undefined if the store must be read. */
async function price(
  wallet: string,
  rows: FoundRows,
  { chains, heads }: ChainHeads,
  { headCache, priceCache, turns, keyId }: HandlerContext,
  snapshot: Kysely<Database> | undefined,
): Promise<PricedWallet | undefined> {
  const { priceable, held, onChain } = rows
  const run = <Result>(entries: number, part: () => Result) => turns.run(keyId, entries, part)
  const priceOnce = async () => {
    const prices = { chains, heads, tokens: getPriceableTokens(rows, onChain), priceCache }
    const known = await findKnownBooks(toPriceRequests(prices), priceCache, run)
    const books = known ?? (snapshot && (await loadTokenPrices(snapshot, prices)))
    return (
      books &&
      (await priceWallet({
        chains,
        books,
        holdings: priceable,
        chainTokens: onChain.tokens,
        held: held.notable,
        run,
      }))
    )
  }
  // The values of a small wallet are computed faster than they are kept at each head.
  if (priceable.length < minKeptTokens) {
    return await priceOnce()
  }
  const load = () => headCache.getOrLoad(heads, [balances.name, wallet], priceOnce)
  let priced = await load()
  // Undefined where it was loaded for a request without a snapshot.
  while (!priced && snapshot) {
    priced = await load()
  }
  return priced
}

/**
 * Lists the ERC20 balances of a page and one more, in its order.
 *
 * @returns undefined if the store must be read.
 */
async function listLedger(
  { parameters, wallet, after, limit, isListed }: BalancesRequest,
  { priceable, others }: WalletRows,
  priced: PricedWallet,
  chains: readonly ChainConfig[],
  snapshot: Kysely<Database> | undefined,
): Promise<BalanceEntry[] | undefined> {
  const entries = takePage(priced.entries, isListed, after, limit + 1)
  // Unpriced tokens count as spam.
  const missing = parameters.excludeSpamTokens ? 0 : limit + 1 - entries.length
  if (missing <= 0) {
    return entries
  }
  if (others) {
    return [...entries, ...findUnpriced([...priceable, ...others], priced, after, missing)]
  }
  const page = { chains, wallet, priced, after, limit: missing }
  return snapshot && [...entries, ...(await loadUnpriced(snapshot, page))]
}
