import type { Token } from '@headwater/contract'
import type { Generator } from './Generator.ts'
import { requireToken } from './requireToken.ts'
import { metadataOf } from './toBalance.ts'
import { historicalPrices, logoOf, priceOf, tokenFields, valueAt } from './tokenFields.ts'

/** The fields of a token on one chain. */
export const tokenInfo: Generator<'tokenInfo'> = {
  requestFields: ({ address }) => ({ contract_address: address.toLowerCase() }),
  rows(parameters, context) {
    const { world, baseUrl } = context
    const token = requireToken(context, parameters.address, 'address')
    const { address, poolSize, isListed } = token
    const item = (): Token => {
      const price_usd = priceOf(world, token)
      const hours = parameters.historicalPrices
      return {
        ...tokenFields(token),
        ...(price_usd !== undefined && { price_usd }),
        ...(isListed && { logo: logoOf(baseUrl, token) }),
        ...(address !== 'native' && {
          ...(price_usd !== undefined && poolSize !== undefined && { pool_size: poolSize }),
          ...supplyFields(price_usd),
        }),
        ...(hours && { historical_prices: historicalPrices(world, token, hours) }),
        ...(parameters.metadata && {
          token_metadata: metadataOf(token, parameters.metadata, { world, baseUrl }),
        }),
      }
    }
    const supplyFields = (price: number | undefined) => {
      const supply = world.ledger.supplyOf(token)
      const valueUsd = valueAt(price, token, supply)
      return {
        total_supply: String(supply),
        ...(valueUsd !== undefined && { fully_diluted_value: valueUsd }),
      }
    }
    return [{ key: [], item }]
  },
}
