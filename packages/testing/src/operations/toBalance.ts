import {
  type Balance,
  type BalancesParameters,
  LOW_LIQUIDITY_USD,
  type TokenMetadata,
} from '@headwater/contract'
import type { WorldToken } from '../world/FakeToken.ts'
import { addressOf } from '../world/hash.ts'
import type { RowContext } from './FakeOperation.ts'
import { historicalPrices, logoOf, priceOf, tokenFields, worthOf } from './tokenFields.ts'

/** The entry of `balances` and of `tokenBalance`. */
export function toBalance(
  token: WorldToken,
  amount: bigint,
  asked: Pick<BalancesParameters, 'historicalPrices' | 'metadata'>,
  { world, baseUrl }: RowContext,
): Balance {
  const { poolSize } = token
  const price_usd = priceOf(world, token)
  const value_usd = worthOf(world, token, amount)
  return {
    ...tokenFields(token),
    address: token.address,
    amount: String(amount),
    ...(price_usd !== undefined && value_usd !== undefined && { price_usd, value_usd }),
    ...(price_usd !== undefined &&
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
