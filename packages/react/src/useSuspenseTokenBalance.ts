import {
  type BalancesResponse,
  type Snapshot,
  type TokenBalanceParameters,
  type WatchOptions,
  watchTokenBalance,
} from '@headwater/core'
import type { SuspenseOptions } from './SuspenseOptions.ts'
import type { SuspenseSnapshot } from './SuspenseSnapshot.ts'
import { useStream } from './useStream.ts'
import { useSuspenseSnapshot } from './useSuspenseSnapshot.ts'

/**
 * What a wallet holds of one token, as `useTokenBalance`; suspends until it is known.
 *
 * @param parameters - The wallet, the token and its chain.
 * @param options - How to watch, such as `refetchInterval` (milliseconds) and `select`; and `client`.
 * @returns The newest snapshot, which has data: `data` is the answer, whose `balances` has one row.
 * @throws {HeadwaterError} to the nearest error boundary when there is no data to show.
 * @throws {Error} when there is neither a provider above nor a client in the options.
 *
 * @example
 * ```tsx
 * import { useSuspenseTokenBalance } from '@headwater/react'
 * import { Suspense } from 'react'
 *
 * function Ether({ address }: { address: string }) {
 *   const { data } = useSuspenseTokenBalance({ address, tokenAddress: 'native', chainIds: [1] })
 *   return <p>{data.balances[0]?.value_usd} USD in ether</p>
 * }
 *
 * export const Page = ({ address }: { address: string }) => (
 *   <Suspense fallback={<p>Loading…</p>}>
 *     <Ether address={address} />
 *   </Suspense>
 * )
 * ```
 */
export function useSuspenseTokenBalance<S = BalancesResponse>(
  parameters: TokenBalanceParameters,
  options: SuspenseOptions<WatchOptions<BalancesResponse, S>> = {},
): SuspenseSnapshot<Snapshot<S>> {
  return useSuspenseSnapshot(useStream(watchTokenBalance<S>, parameters, options))
}
