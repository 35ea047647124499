import { balancesOperation } from '../balances/balancesOperation.ts'
import { collectiblesOperation } from '../collectibles/collectiblesOperation.ts'
import type { ClientOperation } from '../operation/ClientOperation.ts'
import type { OperationName } from '../operation/OperationName.ts'
import { tokenBalanceOperation } from '../tokenBalance/tokenBalanceOperation.ts'
import { tokenHoldersOperation } from '../tokenHolders/tokenHoldersOperation.ts'
import { tokenInfoOperation } from '../tokenInfo/tokenInfoOperation.ts'

/** An operation without its types. */
export type AnyOperation = ClientOperation<object, object, unknown>

/** All operations by name: one tab may be asked to poll what only another one shows. */
const operations = {
  balances: balancesOperation,
  collectibles: collectiblesOperation,
  tokenBalance: tokenBalanceOperation,
  tokenHolders: tokenHoldersOperation,
  tokenInfo: tokenInfoOperation,
} as const satisfies Record<OperationName, unknown>

/** The operation of a name that came from another tab, if there is one. */
export function findOperation(name: unknown): AnyOperation | undefined {
  return typeof name === 'string' && Object.hasOwn(operations, name)
    ? (operations[name as OperationName] as unknown as AnyOperation)
    : undefined
}
