import type { Route } from '../../pricing/Route.ts'
import type { ChainToken } from '../pricedTokens/ChainToken.ts'
import { priceByRoute, type PricedHolding, valueHolding } from '../pricedTokens/priceToken.ts'

/** A balance from the ledger. Its value is kept, as a block changes the prices of few tokens of a wallet. */
export class LedgerHolding {
  readonly token: ChainToken
  /** In smallest units. */
  readonly amount: bigint
  #valued: PricedHolding | undefined

  constructor(token: ChainToken, amount: bigint) {
    this.token = token
    this.amount = amount
  }

  /** Prices and values the balance by the route of its token, if there is one. */
  valueBy(route: Route | undefined): PricedHolding {
    if (!this.#valued || this.#valued.price?.route !== route) {
      this.#valued = valueHolding(priceByRoute(this.token, route), this.amount)
    }
    return this.#valued
  }
}
