import type { Kysely } from 'kysely'
import type { ChainConfig } from '../../config/Config.ts'
import type { PriceBook } from '../../pricing/PriceBook.ts'
import type { ChainDependencies } from '../../store/ChangeIndex.ts'
import type { Database } from '../../store/Database.ts'
import type { HandlerContext } from '../Handler.ts'
import { type ChainHeads, combineHeads, findHeads } from '../loadHeads.ts'
import { addCreationTimes } from './addCreationTimes.ts'
import type { ChainToken } from './ChainToken.ts'
import { type FindAuditedBlock, loadAuditedBlocks } from './loadAuditedBlocks.ts'
import { loadToken } from './loadToken.ts'
import { findPriceDependencies, loadTokenPrices } from './loadTokenPrices.ts'
import { type PricedToken, priceToken } from './priceToken.ts'

/** A token that is requested by its address. */
export interface TokenRequest {
  readonly chain: ChainConfig
  readonly address: string
  /** Name of the parameter with the address, for the error. */
  readonly param: string
  /** Of past prices. */
  readonly hours: readonly number[] | undefined
  readonly metadata: readonly string[] | undefined
}

/** A token at the head of its chain. */
interface StoredToken {
  readonly requested: ChainHeads
  readonly priced: PricedToken
  readonly books: ReadonlyMap<number, PriceBook>
  readonly findAuditedBlock: FindAuditedBlock | undefined
}

/**
 * Loads a token, its price, and what `metadata` adds from the store.
 *
 * @returns the chain alone where nodes replace its index.
 * @throws {ApiError} 404 for an address without an ERC20 token; 503 when the chain is not available.
 */
export async function loadPricedToken(
  snapshot: Kysely<Database>,
  { chain, address, param, hours, metadata }: TokenRequest,
  context: Pick<HandlerContext, 'nodeChains' | 'priceCache' | 'watch'>,
): Promise<StoredToken | ChainHeads> {
  const found = await findHeads(snapshot, [chain], context)
  if (found.nodeBacked.length > 0) {
    return found
  }
  const requested = combineHeads([chain], [found])
  const { heads } = requested
  const token = await loadToken(snapshot, chain, address, param)
  const { priceCache } = context
  const wanted = { chains: [chain], heads, tokens: [token], hours, priceCache }
  const prices = await loadTokenPrices(snapshot, wanted)
  const books = await addCreationTimes(snapshot, [token], prices, metadata)
  return {
    requested,
    books,
    priced: priceToken(token, books.get(chain.id)?.now ?? new Map()),
    findAuditedBlock: metadata?.includes('audit')
      ? await loadAuditedBlocks(snapshot, [token], heads)
      : undefined,
  }
}

/** What the metadata and the price of a token depend on: of a native asset, the price of its wrapped token. */
export function getTokenDependencies(
  { address, chain }: ChainToken,
  book: PriceBook | undefined,
): ChainDependencies {
  if (address === 'native') {
    const { wrappedNative } = chain
    return { prices: [findPriceDependencies(wrappedNative ? [wrappedNative] : [], book)] }
  }
  return { contracts: [address], prices: [findPriceDependencies([address], book)] }
}
