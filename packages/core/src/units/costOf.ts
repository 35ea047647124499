import {
  balances,
  collectibles,
  tokenBalance,
  tokenHolders,
  tokenInfo,
  type BalancesParameters,
  type CollectiblesParameters,
  type TokenBalanceParameters,
  type TokenHoldersParameters,
  type TokenInfoParameters,
} from '@headwater/contract'
import type { Client } from '../client/Client.ts'
import { normalizeParameters } from '../operation/normalizeParameters.ts'
import type { Priced } from './Ledger.ts'

/**
 * What each operation takes.
 *
 * @example
 * import { costOf, type ParametersByOperation } from '@headwater/core'
 * const costOfBalances = (parameters: ParametersByOperation['balances']) => costOf('balances', parameters)
 */
export interface ParametersByOperation {
  readonly balances: BalancesParameters
  readonly collectibles: CollectiblesParameters
  readonly tokenBalance: TokenBalanceParameters
  readonly tokenHolders: TokenHoldersParameters
  readonly tokenInfo: TokenInfoParameters
}

const declarations = { balances, collectibles, tokenBalance, tokenHolders, tokenInfo }

/**
 * What a request will cost. Exact for token infos, holders and single balances, and where `chainIds` are numbers. How
 * many chains a tag means, or no `chainIds` at all, is known to the service alone: then it is what the service charged
 * the client for the same `chainIds` last, and one unit a tag, and for none, as long as it was never asked.
 *
 * @param operation - Name of the operation.
 * @param parameters - What would be asked. They are not judged.
 * @param client - Knows what the service charged.
 * @returns Compute units of one answer, which is one page of an operation that lists. A refusal costs nothing.
 * @example
 * import { costOf } from '@headwater/core'
 * const address = '0xd8da6bf26964af9d7eed9e03e53415d37aa96045'
 * costOf('balances', { address, chainIds: [1, 8453] }) // 2
 */
export function costOf<Name extends keyof ParametersByOperation>(
  operation: Name,
  parameters: ParametersByOperation[Name],
  client?: Client,
): number {
  // The name says which parameters the declaration takes.
  const declaration = declarations[operation] as unknown as Priced<object>
  const normalized = normalizeParameters(parameters)
  return client
    ? client.ledger.costOf(declaration, normalized)
    : declaration.cost(normalized, (chainIds) => chainIds?.length ?? 1)
}
