import type { Balance, BalancesErrors, Warning } from '@headwater/contract'

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
 * Totals of the holdings of one or all wallets, on one or all chains.
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
  /** Number of token balances, native assets included. A token that two wallets hold counts twice. */
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
 * Totals of one wallet.
 *
 * @example
 * import type { PortfolioWallet } from '@headwater/core'
 * const label = ({ address, share, complete }: PortfolioWallet) =>
 *   `${address}: ${complete ? '' : 'about '}${Math.round(share * 100)} %`
 */
export interface PortfolioWallet extends PortfolioTotals {
  /** In lower case. */
  readonly address: string
  /** Share of the total `value_usd`, from 0 to 1; 0 if that is 0. */
  readonly share: number
  /** Chains with holdings of the wallet, most valuable first. Their `share` is that of the value of the wallet. */
  readonly chains: readonly PortfolioChain[]
  /** Whether everything requested of this wallet is included and current. */
  readonly complete: boolean
}

/**
 * A token and its balance, summed over all wallets that hold it. `amount` is the exact sum, and so is `value_usd` if several
 * wallets hold it. The other fields are those of the balance in the first of these wallets.
 *
 * @example
 * import { formatAmount, type PortfolioHolding } from '@headwater/core'
 * const text = ({ symbol, amount, decimals, wallets }: PortfolioHolding) =>
 *   `${formatAmount(amount, decimals)} ${symbol} in ${wallets.length} wallets`
 */
export interface PortfolioHolding extends Balance {
  /** The wallets that hold the token, with their amounts in smallest units. */
  readonly wallets: readonly { readonly address: string; readonly amount: string }[]
}

/**
 * The value of one or several wallets, and how complete it is.
 *
 * @example
 * import type { Portfolio } from '@headwater/core'
 * const total = ({ value_usd, complete }: Portfolio) =>
 *   `${complete ? '' : 'at least '}${value_usd.toFixed(2)} USD`
 */
export interface Portfolio extends PortfolioTotals {
  /** Chains with holdings, most valuable first. */
  readonly chains: readonly PortfolioChain[]
  /** All requested wallets, most valuable first. One without a response yet, or with an error, has totals of 0. */
  readonly wallets: readonly PortfolioWallet[]
  /** Tokens of all wallets, one entry per token and chain: most valuable first, those of low liquidity last. */
  readonly holdings: readonly PortfolioHolding[]
  /**
   * Whether everything requested is included and current: all wallets, all pages of the listing on all chains, each refetched
   * within its interval, without an error or a warning. Unpriced tokens do not count here; see `pricedShare`.
   */
  readonly complete: boolean
  /**
   * Why it may be incomplete: the warnings of the listings, as in {@link CollectionSnapshot}, and `WALLET_FAILED` for a
   * wallet with an error. With `PARTIAL_HISTORY` the totals are lower bounds: transfers of a share (`share`) of the blocks of
   * that chain are known.
   */
  readonly warnings: readonly Warning[]
  /** What the service could not read. */
  readonly errors: BalancesErrors | undefined
}
