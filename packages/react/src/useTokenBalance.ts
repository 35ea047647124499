import {
  type BalancesResponse,
  type Snapshot,
  type TokenBalanceParameters,
  type WatchOptions,
  watchTokenBalance,
} from '@headwater/core'
import type { ClientOption } from './ClientOption.ts'
import { useSnapshot } from './useSnapshot.ts'
import { useStream } from './useStream.ts'

/**
 * What a wallet holds of one token on one chain, and its worth, kept up to date while the component is mounted.
 *
 * @param parameters - The wallet, the token and its chain.
 * @param options - How to watch, such as `enabled`, `refetchInterval` (milliseconds) and `select`; and `client`.
 * @returns The newest snapshot: `data` is the answer, whose `balances` has one row. Errors are a state of it;
 *   rendering throws none of them.
 * @throws {Error} when there is neither a provider above nor a client in the options.
 *
 * @example
 * ```tsx
 * import { formatAmount } from '@headwater/core'
 * import { useTokenBalance } from '@headwater/react'
 *
 * function Ether({ address }: { address: string }) {
 *   const { data } = useTokenBalance({ address, tokenAddress: 'native', chainIds: [1] })
 *   const row = data?.balances[0]
 *   return <p>{row ? formatAmount(row.amount, row.decimals ?? 18) : '…'} ETH</p>
 * }
 * ```
 */
export function useTokenBalance<S = BalancesResponse>(
  parameters: TokenBalanceParameters,
  options: WatchOptions<BalancesResponse, S> & ClientOption = {},
): Snapshot<S> {
  return useSnapshot(useStream(watchTokenBalance<S>, parameters, options))
}
