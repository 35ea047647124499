/**
 * The schemas of all operations, for whoever serves, fakes or documents the API. They stay out of browsers: clients
 * import the validators made of them from the main entry.
 */
import { balances } from './balances/operation.ts'
import { balancesSchema } from './balances/schema.ts'

export type { JsonSchema, ObjectSchema } from './JsonSchema.ts'
export { openApi } from './openApi.ts'

/** Every operation with its schemas, by name. */
export const operations = {
  balances: { ...balances, summary: 'Token balances of a wallet', schema: balancesSchema },
} as const
