import {
  balances,
  isBalance,
  isBalancesParameters,
  isBalancesResponse,
  type Balance,
  type BalancesParameters,
  type BalancesResponse,
} from '@headwater/contract'
import type { ListOperation } from '../operation/ClientOperation.ts'

/** The operation `balances` as a client needs it. */
export const balancesOperation: ListOperation<BalancesParameters, BalancesResponse, Balance> = {
  declaration: balances,
  isParameters: isBalancesParameters,
  isResponse: isBalancesResponse,
  isItem: isBalance,
}
