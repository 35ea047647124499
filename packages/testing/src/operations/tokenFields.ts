import type { HistoricalPrice } from '@headwater/contract'
import { getValueUsd } from '@headwater/core'
import type { WorldToken } from '../world/FakeToken.ts'
import type { World } from '../world/World.ts'

/** The fields of a token in every response. Unknown fields are absent. */
export function tokenFields({ chain, symbol, name, decimals }: WorldToken) {
  return {
    chain: chain.name,
    chain_id: chain.id,
    ...(symbol !== undefined && { symbol }),
    ...(name !== undefined && { name }),
    ...(decimals !== undefined && { decimals }),
  }
}

/** The current price of a whole token; undefined without decimals. */
export function priceOf({ prices, now }: World, token: WorldToken): number | undefined {
  return token.decimals === undefined ? undefined : prices.at(token, now)
}

/** The value of an amount at the price of a whole token. */
export function valueAt(
  price: number | undefined,
  { decimals }: WorldToken,
  amount: bigint,
): number | undefined {
  if (price === undefined || decimals === undefined) {
    return undefined
  }
  return getValueUsd(amount, decimals, price)
}

/** Past prices, in the order of `hours`; null where the token had none. */
export function historicalPrices(
  { prices, now }: World,
  token: WorldToken,
  hours: readonly number[],
): HistoricalPrice[] {
  return hours.map((offset_hours) => ({
    offset_hours,
    price_usd:
      token.decimals === undefined ? null : (prices.at(token, now - offset_hours * 3600) ?? null),
  }))
}

/** URL of the logo of a token. */
export function logoOf(baseUrl: string, { chainId, address }: WorldToken): string {
  return `${baseUrl}/beta/token/logo/${chainId}${address === 'native' ? '' : `/${address}`}`
}
