import { walletInput } from '../fragments/address.ts'
import { balanceSchema } from '../fragments/balance.ts'
import { balancesResponseSchema } from '../fragments/balancesResponse.ts'
import { chainIdsInput } from '../fragments/chains.ts'
import { historicalPricesInput } from '../fragments/historicalPrices.ts'
import { limitInput, offsetInput } from '../fragments/paging.ts'
import { metadataInput } from '../fragments/tokenMetadata.ts'
import type { ObjectSchema, OperationSchemas } from '../JsonSchema.ts'
import type { balances } from './operation.ts'

/** Parameters of `balances`. Specification 4.3. */
const parameters = {
  title: 'BalancesParameters',
  description: "Parameters of the operation `balances`: a wallet's token balances and their value.",
  type: 'object',
  properties: {
    address: walletInput,
    chainIds: chainIdsInput,
    filters: {
      type: 'string',
      enum: ['erc20', 'native'],
      description: 'Only ERC20 tokens, or only native assets.',
    },
    metadata: metadataInput,
    excludeSpamTokens: {
      type: 'boolean',
      default: false,
      description:
        'Omits tokens with less than 100 USD of liquidity. Native assets are never omitted.',
    },
    historicalPrices: historicalPricesInput,
    offset: offsetInput,
    limit: limitInput({ default: 1000, maximum: 1000 } satisfies typeof balances.pagination.limit),
  },
  required: ['address'],
  additionalProperties: false,
  examples: [
    {
      address: '0xd8da6bf26964af9d7eed9e03e53415d37aa96045',
      chainIds: [1, 8453],
      excludeSpamTokens: true,
    },
  ],
} as const satisfies ObjectSchema

/** The schemas of `balances`. */
export const balancesSchemas = {
  summary: 'Token balances of a wallet',
  parameters,
  item: balanceSchema,
  response: balancesResponseSchema,
} as const satisfies OperationSchemas
