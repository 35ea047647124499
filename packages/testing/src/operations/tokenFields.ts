import type { HistoricalPrice } from '@headwater/contract'
import { getValueUsd } from '@headwater/core'
import type { WorldToken } from '../world/FakeToken.ts'
import type { World } from '../world/World.ts'

/** What every answer tells of a token: what is not known is absent. */
export function tokenFields({ chain, symbol, name, decimals }: WorldToken) {
  return {
    chain: chain.name,
    chain_id: chain.id,
    ...(symbol !== undefined && { symbol }),
    ...(name !== undefined && { name }),
    ...(decimals !== undefined && { decimals }),
  }
}

/** The price of a whole token now; undefined where nobody knows how much a whole one is. */
export function priceOf({ prices, now }: World, token: WorldToken): number | undefined {
  return token.decimals === undefined ? undefined : prices.at(token, now)
}

/** What an amount is worth at the price of a whole token. */
export function worthAt(
  price: number | undefined,
  { decimals }: WorldToken,
  amount: bigint,
): number | undefined {
  if (price === undefined || decimals === undefined) {
    return undefined
  }
  return getValueUsd(amount, decimals, price)
}

/** Prices in the past, in the order asked; null where the token had none yet. */
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

/** Where the service answers the logo of a token. */
export function logoOf(baseUrl: string, { chainId, address }: WorldToken): string {
  return `${baseUrl}/beta/token/logo/${chainId}${address === 'native' ? '' : `/${address}`}`
}
