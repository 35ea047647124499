import type { BalancesErrors, Warning } from '@headwater/contract'

/**
 * Change of a value since a time in the past: the current holdings at the current prices and at those of that time.
 *
 * @example
 * import type { PortfolioChange } from '@headwater/core'
 * const text = ({ offset_hours, percent }: PortfolioChange) =>
 *   percent === undefined ? '' : `${percent.toFixed(2)} % in ${offset_hours} h`
 */
export interface PortfolioChange {
  /** Hours before now; one of `historicalPrices`. */
  readonly offset_hours: number
  /** Change of the value of the current holdings, in USD. */
  readonly change_usd: number
  /** The change in percent of the past value: 5 for a rise from 100 to 105. Absent if the past value was 0. */
  readonly percent?: number
  /** Share of `value_usd`, from 0 to 1, that has a known past price and is therefore included. */
  readonly share: number
}

/**
 * Totals of the holdings on one chain or on all chains.
 *
 * @example
 * import type { PortfolioTotals } from '@headwater/core'
 * const isUncertain = ({ pricedShare, lowLiquidity }: PortfolioTotals) =>
 *   pricedShare < 0.9 || lowLiquidity.tokens > 0
 */
export interface PortfolioTotals {
  /** Value in USD of all tokens with a meaningful price: amount times price, summed exactly and rounded once. */
  readonly value_usd: number
  /** One entry per element of `historicalPrices`, in that order. */
  readonly changes: readonly PortfolioChange[]
  /** Number of tokens, native assets included. */
  readonly tokens: number
  /** Share of the tokens, from 0 to 1, that have a price; 1 without tokens. The value of the others is unknown. */
  readonly pricedShare: number
  /** Tokens that `value_usd` excludes, as the liquidity behind their price is too low. */
  readonly lowLiquidity: {
    readonly value_usd: number
    readonly tokens: number
  }
}

/**
 * Totals of the holdings on one chain.
 *
 * @example
 * import type { PortfolioChain } from '@headwater/core'
 * const label = ({ chain, chain_id, share }: PortfolioChain) =>
 *   `${chain ?? chain_id}: ${Math.round(share * 100)} %`
 */
export interface PortfolioChain extends PortfolioTotals {
  readonly chain_id: number
  /** Chain name, if the service returns it. */
  readonly chain?: string
  /** Share of the total `value_usd`, from 0 to 1; 0 if that is 0. */
  readonly share: number
}

/**
 * The value of a wallet, and how complete it is.
 *
 * @example
 * import type { Portfolio } from '@headwater/core'
 * const total = ({ value_usd, complete }: Portfolio) =>
 *   `${complete ? '' : 'at least '}${value_usd.toFixed(2)} USD`
 */
export interface Portfolio extends PortfolioTotals {
  /** Chains with holdings, most valuable first. */
  readonly chains: readonly PortfolioChain[]
  /**
   * Whether everything requested is included and current: all pages of the listing on all chains, each refetched within its
   * interval, without an error or a warning. Unpriced tokens do not count here; see `pricedShare`.
   */
  readonly complete: boolean
  /** Parts of the request that had no effect, or of the response that are invalid: why it may be incomplete. */
  readonly warnings: readonly Warning[]
  /** What the service could not read. */
  readonly errors: BalancesErrors | undefined
}
