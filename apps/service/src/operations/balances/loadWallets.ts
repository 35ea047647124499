import type { Kysely } from 'kysely'
import { balances } from '@headwater/contract'
import type { ChainConfig } from '../../config/Config.ts'
import type { Database } from '../../store/Database.ts'
import type { HandlerContext } from '../Handler.ts'
import type { ChainHeads } from '../loadHeads.ts'
import type { ChainToken } from '../pricedTokens/ChainToken.ts'
import { loadTokenPrices } from '../pricedTokens/loadTokenPrices.ts'
import type { CachedValue } from '../StoreCache.ts'
import { applyDeltas } from './applyDeltas.ts'
import { type ChainTokens, loadChainTokens } from './loadChainTokens.ts'
import { type HeldChainTokens, loadHeldChainTokens } from './loadHeldChainTokens.ts'
import { type Holdings, loadHoldings } from './loadHoldings.ts'

/** The rows of a wallet, which are the same until a block changes them. */
export interface WalletRows extends Holdings, CachedValue {
  readonly held: HeldChainTokens
}

/** What a snapshot of a store contains of wallets. */
export interface StoredWallets {
  readonly requested: ChainHeads
  readonly onChain: ChainTokens
  readonly rows: ReadonlyMap<string, WalletRows>
}

type Caches = Pick<HandlerContext, 'storeCache' | 'priceCache'>

/** Loads the rows of wallets at some heads, and the prices of their tokens into the cache. */
export async function loadWallets(
  snapshot: Kysely<Database>,
  requested: ChainHeads,
  wallets: readonly string[],
  caches: Caches,
): Promise<StoredWallets> {
  const { chains, heads } = requested
  if (chains.length === 0) {
    return { requested, onChain: noTokens, rows: new Map(wallets.map((each) => [each, noRows])) }
  }
  const onChain = await getChainTokens(requested, caches.storeCache, snapshot)
  const rows = await caches.storeCache.getOrLoadMany(heads, balances.name, wallets, (missing) =>
    loadRows(snapshot, chains, missing, onChain),
  )
  const tokens = [...rows.values()].flatMap((row) => getPriceableTokens(row, onChain))
  await loadTokenPrices(snapshot, { chains, heads, tokens, priceCache: caches.priceCache })
  return { requested, onChain, rows }
}

/** The tokens with balances that are read from the chain, loaded if there is a snapshot. */
export async function getChainTokens(
  { chains, heads }: ChainHeads,
  storeCache: Caches['storeCache'],
  snapshot: Kysely<Database>,
): Promise<ChainTokens>
export async function getChainTokens(
  { chains, heads }: ChainHeads,
  storeCache: Caches['storeCache'],
  snapshot: Kysely<Database> | undefined,
): Promise<ChainTokens | undefined>
export async function getChainTokens(
  { chains, heads }: ChainHeads,
  storeCache: Caches['storeCache'],
  snapshot: Kysely<Database> | undefined,
): Promise<ChainTokens | undefined> {
  const subject = [balances.name, 'tokens read from the chain']
  const load = snapshot && (() => loadChainTokens(snapshot, chains))
  return await storeCache.getOrLoad(heads, subject, load)
}

/** The tokens of a wallet that may have a price, and all that any wallet may hold. */
export function getPriceableTokens(
  { priceable }: Pick<WalletRows, 'priceable'>,
  { tokens }: Pick<ChainTokens, 'tokens'>,
): ChainToken[] {
  return [...priceable.map(({ token }) => token), ...tokens]
}

const noDependencies = { dependencies: new Map<number, never>(), isVolatile: false, weight: 0 }
export const noTokens: ChainTokens = { ...noDependencies, tokens: [], omitted: new Map() }
export const noRows: WalletRows = {
  ...noDependencies,
  priceable: [],
  others: [],
  held: { notable: [], others: new Map() },
}

/** Loads the rows of wallets, by wallet. */
export async function loadRows(
  snapshot: Kysely<Database>,
  chains: readonly ChainConfig[],
  wallets: readonly string[],
  { tokens }: Pick<ChainTokens, 'tokens'>,
): Promise<Map<string, WalletRows>> {
  const holdings = await loadHoldings(snapshot, chains, wallets)
  const heldByWallet = await loadHeldChainTokens(snapshot, chains, wallets, tokens)
  return new Map(
    wallets.map((wallet) => {
      const held = heldByWallet.get(wallet) ?? noRows.held
      const cached = {
        dependencies: new Map(chains.map(({ id }) => [id, { holders: [wallet] }])),
        isVolatile: tokens.length > 0 || held.others.size > 0,
      }
      return [wallet, toWalletRows(wallet, holdings.get(wallet) ?? noRows, held, cached)]
    }),
  )
}

function toWalletRows(
  holder: string,
  holdings: Holdings,
  held: HeldChainTokens,
  cached: Pick<CachedValue, 'dependencies' | 'isVolatile'>,
): WalletRows {
  const { priceable, others } = holdings
  return {
    priceable,
    others,
    held,
    ...cached,
    weight: priceable.length + (others?.length ?? 0) + held.notable.length,
    updates: {
      holder,
      apply(chainId, deltas) {
        const applied = applyDeltas(holdings, chainId, deltas)
        return applied && toWalletRows(holder, applied, held, cached)
      },
    },
  }
}
