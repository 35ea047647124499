import {
  type Balance,
  type BalancesParameters,
  LOW_LIQUIDITY_USD,
  type TokenMetadata,
} from '@headwater/contract'
import type { WorldToken } from '../world/FakeToken.ts'
import { addressOf } from '../world/hash.ts'
import type { World } from '../world/World.ts'
import type { RowContext } from './Generator.ts'
import { historicalPrices, logoOf, priceOf, tokenFields, worthAt } from './tokenFields.ts'

/** How much of a token, and what that is worth; undefined where the token has no price. */
export interface PricedAmount {
  readonly token: WorldToken
  readonly amount: bigint
  readonly price: number | undefined
  readonly worth: number | undefined
}

/** Finds what an amount is worth now. */
export function priceAmount(world: World, token: WorldToken, amount: bigint): PricedAmount {
  const price = priceOf(world, token)
  return { token, amount, price, worth: worthAt(price, token, amount) }
}

/** The entry of `balances` and of `tokenBalance`. */
export function toBalance(
  { token, amount, price, worth }: PricedAmount,
  asked: Pick<BalancesParameters, 'historicalPrices' | 'metadata'>,
  { world, baseUrl }: RowContext,
): Balance {
  const { poolSize } = token
  return {
    ...tokenFields(token),
    address: token.address,
    amount: String(amount),
    ...(price !== undefined && worth !== undefined && { price_usd: price, value_usd: worth }),
    ...(price !== undefined &&
      poolSize !== undefined && {
        pool_size: poolSize,
        low_liquidity: poolSize < LOW_LIQUIDITY_USD,
      }),
    ...(asked.historicalPrices && {
      historical_prices: historicalPrices(world, token, asked.historicalPrices),
    }),
    ...(asked.metadata && { token_metadata: metadataOf(token, asked.metadata, baseUrl) }),
  }
}

function metadataOf(
  token: WorldToken,
  asked: NonNullable<BalancesParameters['metadata']>,
  baseUrl: string,
): TokenMetadata {
  const { address, isListed, usd } = token
  const isAsked = (kind: (typeof asked)[number]) => asked.includes(kind)
  const pool = addressOf(`pool of ${token.chainId}/${address}`)
  const tokens = [address, addressOf('quote')]
  return {
    ...(isAsked('logo') && isListed && { logo: logoOf(baseUrl, token) }),
    ...(isAsked('url') && isListed && { url: `https://${token.symbol?.toLowerCase()}.example` }),
    ...(isAsked('pools') &&
      usd !== undefined && { pools: [{ type: 'uniswap-v2', address: pool, tokens }] }),
  }
}
