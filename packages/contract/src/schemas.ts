/**
 * The schemas of all operations and what judges requests by them, for whoever serves, fakes or documents the API. They
 * stay out of browsers: clients import the validators made of them from the main entry.
 */
import { balances } from './balances/operation.ts'
import { balancesSchema } from './balances/schema.ts'
import { collectibles } from './collectibles/operation.ts'
import { collectiblesSchema } from './collectibles/schema.ts'
import { tokenBalance } from './tokenBalance/operation.ts'
import { tokenBalanceSchema } from './tokenBalance/schema.ts'
import { tokenHolders } from './tokenHolders/operation.ts'
import { tokenHoldersSchema } from './tokenHolders/schema.ts'
import { tokenInfo } from './tokenInfo/operation.ts'
import { tokenInfoSchema } from './tokenInfo/schema.ts'

export type { JsonSchema, ObjectSchema } from './JsonSchema.ts'
export { openApi } from './openApi.ts'
export { decodeParameters } from './requests/decodeParameters.ts'
export { InvalidRequestError } from './requests/InvalidRequestError.ts'
export { readRequest } from './requests/readRequest.ts'
export type { ResolvedChains } from './requests/resolveChains.ts'

/** Every operation with its schemas, by name. */
export const operations = {
  tokenInfo: { ...tokenInfo, summary: 'What is known of a token', schema: tokenInfoSchema },
  tokenHolders: {
    ...tokenHolders,
    summary: 'Who holds a token',
    schema: tokenHoldersSchema,
  },
  balances: { ...balances, summary: 'Token balances of a wallet', schema: balancesSchema },
  tokenBalance: {
    ...tokenBalance,
    summary: 'What a wallet holds of one token',
    schema: tokenBalanceSchema,
  },
  collectibles: { ...collectibles, summary: 'NFTs of a wallet', schema: collectiblesSchema },
} as const
