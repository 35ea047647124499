import type { Token } from '@headwater/core'
import type { Formats } from '../formats/createFormats.ts'
import { contractText, shownText } from '../names/tokenText.ts'

/** A pool in the explanation of a price. */
export interface PricingPool {
  /** Distinguishes the pools of a list, of which several may have one contract. */
  readonly key: string
  readonly address: string
  /** Such as `Uniswap V3`. */
  readonly venue: string
  readonly pair: string
  /** When it was created; empty if unknown. */
  readonly age: string
  /** Its liquidity, or why it does not price the token. */
  readonly detail: string
}

/** How a token is priced. */
export interface Pricing {
  readonly summary: string
  /** From the token to USD. */
  readonly route: readonly PricingPool[]
  readonly rejected: readonly PricingPool[]
}

const venues: Readonly<Record<string, string>> = {
  'uniswap-v2': 'Uniswap V2',
  'uniswap-v3': 'Uniswap V3',
  'uniswap-v4': 'Uniswap V4',
  'pancakeswap-v3': 'PancakeSwap V3',
  slipstream: 'Slipstream',
  algebra: 'Algebra',
  'solidly-volatile': 'Solidly, volatile',
  'solidly-stable': 'Solidly, stable',
  'curve-stable': 'Curve StableSwap',
  'curve-crypto': 'Curve CryptoSwap',
  'balancer-weighted': 'Balancer, weighted',
  'balancer-stable': 'Balancer, stable',
  erc4626: 'ERC4626 vault',
  'rocket-pool': 'Rocket Pool',
  lido: 'Lido',
}

const reasons: Readonly<Record<string, string>> = {
  YOUNG: 'Younger than the window.',
  EMPTY: 'Empty now, or for half of the window.',
  ONE_SIDED: 'Nearly sold out.',
  NO_ROUTE: 'No route from its other token to USD.',
  OUTLIER: 'Its price differs from that of the deepest pools.',
  THIN: 'Deeper pools of its pair may not have been compared.',
}

/**
 * Explains the price of a token by its pools.
 *
 * @param facts - requested with `metadata: ['pools']`; undefined while it loads.
 * @returns undefined without the pools.
 */
export function describePricing(
  facts: Token | undefined,
  formats: Pick<Formats, 'shortUsd' | 'date'>,
): Pricing | undefined {
  const metadata = facts?.token_metadata
  if (!metadata) {
    return undefined
  }
  const { pools, rejected_pools: rejected = [] } = metadata
  const symbol = shownText(facts.symbol)
  const toPool = (
    {
      type,
      address,
      tokens,
      created_at: createdAt,
    }: { type: string; address: string; tokens: readonly string[]; created_at?: string },
    index: number,
    isFirst: boolean,
  ) => {
    const [token = '', quoteToken = ''] = tokens
    const created = formats.date(createdAt)
    return {
      key: `${index} ${address}`,
      address,
      venue: venues[type] ?? type,
      pair: `${(isFirst && symbol) || contractText(token)} / ${contractText(quoteToken)}`,
      age: created && `since ${created}`,
    }
  }
  return {
    summary: summaryOf(pools?.length, facts.price_usd),
    route: (pools ?? []).map((pool, index) => ({
      ...toPool(pool, index, index === 0),
      detail: [
        `${formats.shortUsd(pool.depth_usd)} now, ${formats.shortUsd(pool.past_depth_usd)} over the hour.`,
        pool.is_bounded ? 'Its price left that of the hour, and counts up to 1 % from it.' : '',
      ]
        .filter(Boolean)
        .join(' '),
    })),
    rejected: rejected.map((pool, index) => ({
      ...toPool(pool, index, true),
      detail: reasons[pool.reason] ?? pool.reason,
    })),
  }
}

function summaryOf(count: number | undefined, price: number | undefined): string {
  if (count === undefined) {
    return 'No pool leads to USD.'
  }
  if (count === 0) {
    return price === 1 ? 'Counts as 1 USD.' : 'Priced by a feed.'
  }
  return count === 1 ? 'One pool to USD' : `${count} pools to USD`
}
