import { LRUCache } from 'lru-cache'
import type { ChainConfig } from '../../config/Config.ts'
import { createPoolCache, fetchRoutes } from '../../pricing/fetchRoutes.ts'
import { getQuoteTokens } from '../../pricing/getQuoteTokens.ts'
import type { PriceBook } from '../../pricing/PriceBook.ts'
import type { FoundRoute } from '../../pricing/Route.ts'
import type { Head } from '../../store/Head.ts'
import type { ChainToken } from '../pricedTokens/ChainToken.ts'
import { findDecimals, listPriced } from './findDecimals.ts'
import type { NodeSource } from './NodeSource.ts'
import type { TokenReader } from './TokenReader.ts'

/** The routes of tokens at a head. */
interface HeadRoutes {
  readonly routes: Map<string, FoundRoute>
  depegged: ReadonlySet<string>
}

/** Requests are answered at the latest heads. */
const maxHeads = 16

/** Prices tokens by the states of their pools at the head, which are read by calls. */
export class NodePrices {
  readonly #chain: ChainConfig
  readonly #node: Pick<NodeSource, 'multicall'>
  readonly #tokens: TokenReader
  /** Of all pairs of the tokens, at the latest heads. */
  readonly pools = createPoolCache()
  readonly #routes = new LRUCache<string, HeadRoutes>({ max: maxHeads })

  constructor(chain: ChainConfig, node: Pick<NodeSource, 'multicall'>, tokens: TokenReader) {
    this.#chain = chain
    this.#node = node
    this.#tokens = tokens
  }

  /**
   * @param tokens - besides the quote tokens.
   * @returns a book without past prices; undefined if a node does not respond.
   */
  async load(tokens: readonly ChainToken[], head: Head): Promise<PriceBook | undefined> {
    const cached: HeadRoutes = this.#routes.get(head.hash) ?? {
      routes: new Map(),
      depegged: new Set(),
    }
    const quoteTokens = getQuoteTokens(this.#chain)
    const requested = listPriced(quoteTokens, tokens)
    const missing = requested.filter((token) => !cached.routes.has(token))
    if (missing.length > 0) {
      const decimals = await findDecimals(missing, tokens, quoteTokens, this.#tokens, head)
      const found =
        decimals && (await fetchRoutes(this.#node, this.#chain, decimals, head, this.pools))
      if (!found) {
        return undefined
      }
      for (const token of missing) {
        const route = found.routes.get(token) ?? { route: undefined, rejected: [] }
        cached.routes.set(token, route)
      }
      cached.depegged = found.depegged
      this.#routes.set(head.hash, cached)
    }
    const routes = requested.map((token) => [token, cached.routes.get(token)] as const)
    return {
      now: new Map(
        routes.flatMap(([token, found]) => (found?.route ? [[token, found.route]] : [])),
      ),
      past: [],
      rejected: new Map(routes.map(([token, found]) => [token, found?.rejected ?? []])),
      depegged: cached.depegged,
    }
  }
}
