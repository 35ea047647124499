import {
  balances,
  isBalance,
  isBalancesResponse,
  isTokenBalanceParameters,
  tokenBalance,
  type Balance,
  type BalancesResponse,
  type TokenBalanceParameters,
} from '@headwater/contract'
import type { ClientOperation } from '../operation/ClientOperation.ts'

/** The operation `tokenBalance` as a client needs it. It answers as `balances` does, with one entry. */
export const tokenBalanceOperation: ClientOperation<
  TokenBalanceParameters,
  BalancesResponse,
  Balance
> = {
  declaration: tokenBalance,
  isParameters: isTokenBalanceParameters,
  isResponse: isBalancesResponse,
  isItem: isBalance,
  list: balances.list,
}
