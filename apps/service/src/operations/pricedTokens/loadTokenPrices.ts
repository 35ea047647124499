import type { Kysely } from 'kysely'
import type { ChainConfig } from '../../config/Config.ts'
import { loadPriceBooks, type PriceRequest } from '../../pricing/loadPriceBooks.ts'
import type { PriceBook } from '../../pricing/PriceBook.ts'
import type { PriceCache } from '../../pricing/PriceCache.ts'
import type { Route } from '../../pricing/Route.ts'
import { TokenHashes } from '../../store/ChangeIndex.ts'
import type { Database } from '../../store/Database.ts'
import type { Head } from '../../store/Head.ts'
import type { ChainToken } from './ChainToken.ts'

/** Tokens of several chains. */
interface TokensToPrice {
  readonly chains: readonly ChainConfig[]
  readonly heads: ReadonlyMap<number, Head>
  readonly tokens: readonly ChainToken[]
}

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
    hours = [],
    priceCache,
    ...tokens
  }: TokensToPrice & {
    readonly hours?: readonly number[] | undefined
    readonly priceCache: PriceCache
  },
): Promise<Map<number, PriceBook>> {
  return await loadPriceBooks(snapshot, toPriceRequests(tokens), hours, priceCache)
}

/** Groups tokens by their chain. */
export function toPriceRequests({ chains, heads, tokens }: TokensToPrice): PriceRequest[] {
  const addresses = new Map<number, string[]>(chains.map(({ id }) => [id, []]))
  for (const { chain, address } of tokens) {
    if (address !== 'native') {
      addresses.get(chain.id)?.push(address)
    }
  }
  return chains.flatMap((chain) => {
    const head = heads.get(chain.id)
    return head ? { chain, head, tokens: addresses.get(chain.id) ?? [] } : []
  })
}

/**
 * What the prices of tokens depend on: the tokens, and those that their routes pass. A block that changes a pool of one of them
 * is a change of the response also where the prices of the tokens themselves are not carried from block to block.
 */
export function findPriceDependencies(
  tokens: readonly string[],
  book: Pick<PriceBook, 'now'> | undefined,
): TokenHashes {
  const found = new TokenHashes()
  for (const token of tokens) {
    addPriceDependencies(found, token, book?.now.get(token))
  }
  return found
}

/** Adds those of a token by its route, if it has one. */
export function addPriceDependencies(
  found: TokenHashes | undefined,
  token: string,
  route: Route | undefined,
): void {
  found?.add(token)
  for (const { tokens } of route?.legs ?? []) {
    // The first one is the token, or the second one of the leg before.
    found?.add(tokens[1])
  }
}
