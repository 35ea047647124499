import { addressInput } from '../fragments/address.ts'
import { balance } from '../fragments/balance.ts'
import { balancesResponse } from '../fragments/balancesResponse.ts'
import { chainIds } from '../fragments/chainIds.ts'
import { historicalPricesInput } from '../fragments/historicalPrices.ts'
import { limitInput, offsetInput } from '../fragments/paging.ts'
import { metadataInput } from '../fragments/tokenMetadata.ts'
import type { ObjectSchema } from '../JsonSchema.ts'
import { balances } from './operation.ts'

/** Parameters of `balances`. Specification 4.3. */
const parameters = {
  title: 'BalancesParameters',
  description: "Parameters of the operation `balances`: a wallet's token balances and their worth.",
  type: 'object',
  properties: {
    address: {
      ...addressInput,
      description: 'Wallet address: `0x` and 40 hex digits in any case.',
    },
    chainIds,
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
        'Leaves out tokens with less than 100 USD liquidity. Native assets are never left out.',
    },
    historicalPrices: historicalPricesInput,
    offset: offsetInput,
    limit: limitInput(balances.list.limit),
  },
  required: ['address'],
  additionalProperties: false,
} as const satisfies ObjectSchema

/** The schemas of `balances`. */
export const balancesSchema = { parameters, item: balance, response: balancesResponse }
