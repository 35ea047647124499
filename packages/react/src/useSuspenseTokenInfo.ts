import {
  type Snapshot,
  type TokenInfoParameters,
  type TokenInfoResponse,
  type WatchOptions,
  watchTokenInfo,
} from '@headwater/core'
import type { SuspenseOptions } from './SuspenseOptions.ts'
import type { SuspenseSnapshot } from './SuspenseSnapshot.ts'
import { useStream } from './useStream.ts'
import { useSuspenseSnapshot } from './useSuspenseSnapshot.ts'

/**
 * What is known of a token or native asset, as `useTokenInfo`; suspends until it is.
 *
 * @param parameters - The token and its chain.
 * @param options - How to watch, such as `refetchInterval` (milliseconds) and `select`; and `client`.
 * @returns The newest snapshot, which has data: `data` is the answer, whose `tokens` has one row a chain.
 * @throws {HeadwaterError} to the nearest error boundary when there is no data to show.
 * @throws {Error} when there is neither a provider above nor a client in the options.
 *
 * @example
 * ```tsx
 * import { useSuspenseTokenInfo } from '@headwater/react'
 * import { Suspense } from 'react'
 *
 * function Name({ address }: { address: string }) {
 *   const { data } = useSuspenseTokenInfo({ address, chainIds: [1] })
 *   return <h1>{data.tokens[0]?.name}</h1>
 * }
 *
 * export const Page = ({ address }: { address: string }) => (
 *   <Suspense fallback={<p>Loading…</p>}>
 *     <Name address={address} />
 *   </Suspense>
 * )
 * ```
 */
export function useSuspenseTokenInfo<S = TokenInfoResponse>(
  parameters: TokenInfoParameters,
  options: SuspenseOptions<WatchOptions<TokenInfoResponse, S>> = {},
): SuspenseSnapshot<Snapshot<S>> {
  return useSuspenseSnapshot(useStream(watchTokenInfo<S>, parameters, options))
}
