import {
  type Balance,
  type BalancesParameters,
  LOW_LIQUIDITY_USD,
  type TokenInfoParameters,
  type TokenMetadata,
} from '@headwater/contract'
import type { WorldToken } from '../world/FakeToken.ts'
import { addressOf } from '../world/hash.ts'
import type { World } from '../world/World.ts'
import type { RowContext } from './Generator.ts'
import { historicalPrices, logoOf, priceOf, tokenFields, valueAt } from './tokenFields.ts'

/** An amount of a token and its value; undefined where the token has no price. */
export interface PricedAmount {
  readonly token: WorldToken
  readonly amount: bigint
  readonly price: number | undefined
  readonly valueUsd: number | undefined
}

/** Computes the current value of an amount. */
export function priceAmount(world: World, token: WorldToken, amount: bigint): PricedAmount {
  const price = priceOf(world, token)
  return { token, amount, price, valueUsd: valueAt(price, token, amount) }
}

/** The item of `balances` and of `tokenBalance`. */
export function toBalance(
  { token, amount, price, valueUsd }: PricedAmount,
  parameters: Pick<BalancesParameters, 'historicalPrices' | 'metadata'>,
  { world, baseUrl }: RowContext,
): Balance {
  const { poolSize } = token
  return {
    ...tokenFields(token),
    address: token.address,
    amount: String(amount),
    ...(price !== undefined && valueUsd !== undefined && { price_usd: price, value_usd: valueUsd }),
    ...(price !== undefined &&
      poolSize !== undefined && {
        pool_size: poolSize,
        low_liquidity: poolSize < LOW_LIQUIDITY_USD,
      }),
    ...(parameters.historicalPrices && {
      historical_prices: historicalPrices(world, token, parameters.historicalPrices),
    }),
    ...(parameters.metadata && {
      token_metadata: metadataOf(token, parameters.metadata, { world, baseUrl }),
    }),
  }
}

/** The values of `metadata`. */
export function metadataOf(
  token: WorldToken,
  kinds: NonNullable<TokenInfoParameters['metadata']>,
  { world, baseUrl }: Pick<RowContext, 'world' | 'baseUrl'>,
): TokenMetadata {
  const { address, isListed, usd, poolSize } = token
  const isRequested = (kind: (typeof kinds)[number]) => kinds.includes(kind)
  const pool = addressOf(`pool of ${token.chainId}/${address}`)
  const tokens = [address, addressOf('quote')]
  const depth = poolSize !== undefined && { depth_usd: poolSize, past_depth_usd: poolSize }
  return {
    ...(isRequested('logo') && isListed && { logo: logoOf(baseUrl, token) }),
    ...(isRequested('url') &&
      isListed && { url: `https://${token.symbol?.toLowerCase()}.example` }),
    ...(isRequested('pools') &&
      (usd !== undefined
        ? { pools: [{ type: 'uniswap-v2', address: pool, tokens, ...depth }] }
        : { rejected_pools: [{ type: 'uniswap-v2', address: pool, tokens, reason: 'NO_ROUTE' }] })),
    ...(isRequested('spam') && { spam_signals: spamSignalsOf(token, pool) }),
    ...(isRequested('audit') && { audited_block: world.block }),
  }
}

/** A token without a list may have any name, and thin liquidity of one account. */
function spamSignalsOf(
  { isListed, name = '', poolSize = Infinity }: WorldToken,
  pool: string,
): NonNullable<TokenMetadata['spam_signals']> {
  return [
    ...(!isListed && /\w\.[a-z]{2,}/.test(name) ? [{ code: 'URL' }] : []),
    ...(!isListed && poolSize < LOW_LIQUIDITY_USD
      ? [{ code: 'SOLE_PROVIDER', address: addressOf(`provider of ${pool}`) }]
      : []),
  ]
}
