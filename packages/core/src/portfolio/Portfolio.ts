import type { BalancesErrors, Warning } from '@headwater/contract'

/**
 * How a worth changed since a time in the past: what is held now, at the prices of now and of then.
 *
 * @example
 * import type { PortfolioChange } from '@headwater/core'
 * const text = ({ offset_hours, percent }: PortfolioChange) =>
 *   percent === undefined ? '' : `${percent.toFixed(2)} % in ${offset_hours} h`
 */
export interface PortfolioChange {
  /** How many hours ago; one of `historicalPrices`. */
  readonly offset_hours: number
  /** By how much the worth of what is held now changed, in USD. */
  readonly change_usd: number
  /** The same in percent of what it was worth then: 5 for a rise from 100 to 105. Absent when that was nothing. */
  readonly percent?: number
  /** The share of `value_usd`, from 0 to 1, that has both prices and is counted here. */
  readonly share: number
}

/**
 * What is held together, on all chains or on one.
 *
 * @example
 * import type { PortfolioPart } from '@headwater/core'
 * const isUnsure = ({ pricedShare, lowLiquidity }: PortfolioPart) =>
 *   pricedShare < 0.9 || lowLiquidity.tokens > 0
 */
export interface PortfolioPart {
  /**
   * Worth in USD of all that has a price that can be believed: amount times price, added without rounding, and then rounded
   * once to the nearest float.
   */
  readonly value_usd: number
  /** One entry for each of `historicalPrices`, in that order. */
  readonly changes: readonly PortfolioChange[]
  /** How many tokens are held, native assets included. */
  readonly tokens: number
  /** The share of them, from 0 to 1, that has a price; 1 when there are none. What has none is worth an unknown sum. */
  readonly pricedShare: number
  /** What is left out of `value_usd`, as its price says little: so little can be sold into the pools it comes from. */
  readonly lowLiquidity: {
    readonly value_usd: number
    readonly tokens: number
  }
}

/**
 * What is held on one chain.
 *
 * @example
 * import type { PortfolioChain } from '@headwater/core'
 * const label = ({ chain, chain_id, share }: PortfolioChain) =>
 *   `${chain ?? chain_id}: ${Math.round(share * 100)} %`
 */
export interface PortfolioChain extends PortfolioPart {
  readonly chain_id: number
  /** The name of the chain, if the service told it. */
  readonly chain?: string
  /** The share of the whole `value_usd`, from 0 to 1; 0 when that is 0. */
  readonly share: number
}

/**
 * What a wallet is worth, and how far to trust that.
 *
 * @example
 * import type { Portfolio } from '@headwater/core'
 * const total = ({ value_usd, complete }: Portfolio) =>
 *   `${complete ? '' : 'at least '}${value_usd.toFixed(2)} USD`
 */
export interface Portfolio extends PortfolioPart {
  /** The chains on which something is held, the most valuable first. */
  readonly chains: readonly PortfolioChain[]
  /**
   * Whether all is in it that was asked for: all pages of the listing on all chains, with no error and no warning. What has
   * no price is told by `pricedShare` and does not count here.
   */
  readonly complete: boolean
  /** What of the request had no effect, or could not be read: why it may not be complete. */
  readonly warnings: readonly Warning[]
  /** What the service could not read, beside what it could. */
  readonly errors: BalancesErrors | undefined
}
