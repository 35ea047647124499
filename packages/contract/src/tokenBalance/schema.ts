import { addressInput, addressOrNativeInput } from '../fragments/address.ts'
import { balance } from '../fragments/balance.ts'
import { balancesResponse } from '../fragments/balancesResponse.ts'
import { oneChainId } from '../fragments/chainId.ts'
import { historicalPricesInput } from '../fragments/historicalPrices.ts'
import { metadataInput } from '../fragments/tokenMetadata.ts'
import type { ObjectSchema } from '../JsonSchema.ts'

/** Parameters of `tokenBalance`. Specification 4.4. */
const parameters = {
  title: 'TokenBalanceParameters',
  description:
    'Parameters of the operation `tokenBalance`: what a wallet holds of one token on one chain.',
  type: 'object',
  properties: {
    address: {
      ...addressInput,
      description: 'Wallet address: `0x` and 40 hex digits in any case.',
    },
    tokenAddress: {
      ...addressOrNativeInput,
      description: 'An ERC20 contract, or `native` for the native asset of the chain.',
    },
    chainIds: oneChainId,
    metadata: metadataInput,
    historicalPrices: historicalPricesInput,
  },
  required: ['address', 'tokenAddress', 'chainIds'],
  additionalProperties: false,
} as const satisfies ObjectSchema

/** The schemas of `tokenBalance`. */
export const tokenBalanceSchema = { parameters, item: balance, response: balancesResponse }
