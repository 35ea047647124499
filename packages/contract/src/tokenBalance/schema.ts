import { addressOrNativeInput, walletInput } from '../fragments/address.ts'
import { balanceSchema } from '../fragments/balance.ts'
import { balancesResponseSchema } from '../fragments/balancesResponse.ts'
import { singleChainIdInput } from '../fragments/chains.ts'
import { historicalPricesInput } from '../fragments/historicalPrices.ts'
import { metadataInput } from '../fragments/tokenMetadata.ts'
import type { ObjectSchema, OperationSchemas } from '../JsonSchema.ts'

/** Parameters of `tokenBalance`. Specification 4.4. */
const parameters = {
  title: 'TokenBalanceParameters',
  description:
    "Parameters of the operation `tokenBalance`: a wallet's balance of one token on one chain.",
  type: 'object',
  properties: {
    address: walletInput,
    tokenAddress: {
      ...addressOrNativeInput,
      description:
        "ERC20 contract, `0x` and 40 hex digits in any case, or `native` for the chain's native asset.",
    },
    chainIds: singleChainIdInput,
    metadata: metadataInput,
    historicalPrices: historicalPricesInput,
  },
  required: ['address', 'tokenAddress', 'chainIds'],
  additionalProperties: false,
  examples: [
    {
      address: '0xd8da6bf26964af9d7eed9e03e53415d37aa96045',
      tokenAddress: 'native',
      chainIds: [1],
    },
  ],
} as const satisfies ObjectSchema

/** The schemas of `tokenBalance`. */
export const tokenBalanceSchemas = {
  summary: 'Balance of one token of a wallet',
  parameters,
  item: balanceSchema,
  response: balancesResponseSchema,
} as const satisfies OperationSchemas
