import {
  type Balance,
  type BalancesParameters,
  type BalancesSnapshot,
  type CollectionOptions,
  type ListParameters,
  watchBalances,
} from '@headwater/core'
import type { SuspenseOptions } from './SuspenseOptions.ts'
import type { SuspenseSnapshot } from './SuspenseSnapshot.ts'
import { useStream } from './useStream.ts'
import { useSuspenseSnapshot } from './useSuspenseSnapshot.ts'

/**
 * A wallet's token balances and their worth, as `useBalances`; suspends until there are some.
 *
 * @param parameters - The wallet, and which of its tokens.
 * @param options - How to watch, such as `refetchInterval` (milliseconds), `pageSize` and `select`; and `client`.
 * @returns The newest snapshot, which has data: `data` is one row a token.
 * @throws {HeadwaterError} to the nearest error boundary when there is no data to show.
 * @throws {Error} when there is neither a provider above nor a client in the options.
 *
 * @example
 * ```tsx
 * import { useSuspenseBalances } from '@headwater/react'
 * import { Suspense } from 'react'
 *
 * function Wallet({ address }: { address: string }) {
 *   const { data } = useSuspenseBalances({ address })
 *   return <p>{data.length} tokens</p>
 * }
 *
 * export const Page = ({ address }: { address: string }) => (
 *   <Suspense fallback={<p>Loading…</p>}>
 *     <Wallet address={address} />
 *   </Suspense>
 * )
 * ```
 */
export function useSuspenseBalances<S = readonly Balance[]>(
  parameters: ListParameters<BalancesParameters>,
  options: SuspenseOptions<CollectionOptions<Balance, S>> = {},
): SuspenseSnapshot<BalancesSnapshot<S>> {
  return useSuspenseSnapshot(useStream(watchBalances<S>, parameters, options))
}
