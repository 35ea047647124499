import { balancesSchemas } from './balances/schema.ts'
import { collectiblesSchemas } from './collectibles/schema.ts'
import type { OperationSchemas } from './JsonSchema.ts'
import type { OperationName } from './operations.ts'
import { tokenBalanceSchemas } from './tokenBalance/schema.ts'
import { tokenHoldersSchemas } from './tokenHolders/schema.ts'
import { tokenInfoSchemas } from './tokenInfo/schema.ts'

/**
 * The JSON Schemas of each operation. The generator reads this file alone, as the operations import what it generates.
 *
 * @example
 * import { operationSchemas } from '@headwater/contract/schemas'
 * const fields = Object.keys(operationSchemas.balances.item.properties)
 */
export const operationSchemas = {
  tokenInfo: tokenInfoSchemas,
  tokenHolders: tokenHoldersSchemas,
  balances: balancesSchemas,
  tokenBalance: tokenBalanceSchemas,
  collectibles: collectiblesSchemas,
} as const satisfies Record<OperationName, OperationSchemas>
