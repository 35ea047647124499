import type { Kysely } from 'kysely'
import type { ChainConfig } from '../../config/Config.ts'
import { loadPriceBooks } from '../../pricing/loadPriceBooks.ts'
import type { PriceBook } from '../../pricing/PriceBook.ts'
import type { PriceCache } from '../../pricing/PriceCache.ts'
import type { Database } from '../../store/Database.ts'
import type { Head } from '../loadHeads.ts'
import type { ChainToken } from './ChainToken.ts'

/**
 * Loads the prices of tokens at the head of their chain and some hours before. Native assets need not be included:
 * they have the price of their wrapped token, which is always loaded.
 *
 * @param snapshot - the one that the heads were read from.
 * @returns a price book per chain, by chain id.
 */
export async function loadTokenPrices(
  snapshot: Kysely<Database>,
  {
    chains,
    heads,
    tokens,
    hours = [],
    priceCache,
  }: {
    readonly chains: readonly ChainConfig[]
    readonly heads: ReadonlyMap<number, Head>
    readonly tokens: readonly ChainToken[]
    readonly hours?: readonly number[] | undefined
    readonly priceCache: PriceCache
  },
): Promise<Map<number, PriceBook>> {
  const addresses = new Map<number, string[]>(chains.map(({ id }) => [id, []]))
  for (const { chain, address } of tokens) {
    if (address !== 'native') {
      addresses.get(chain.id)?.push(address)
    }
  }
  const requests = chains.flatMap((chain) => {
    const head = heads.get(chain.id)
    return head ? { chain, head, tokens: addresses.get(chain.id) ?? [] } : []
  })
  return await loadPriceBooks(snapshot, requests, hours, priceCache)
}
