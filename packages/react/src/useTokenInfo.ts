import {
  type Snapshot,
  type TokenInfoParameters,
  type TokenInfoResponse,
  type WatchOptions,
  watchTokenInfo,
} from '@headwater/core'
import type { ClientOption } from './ClientOption.ts'
import { useSnapshot } from './useSnapshot.ts'
import { useStream } from './useStream.ts'

/**
 * What is known of a token or native asset, of which the price changes, kept up to date while the component is mounted.
 *
 * @param parameters - The token and its chain.
 * @param options - How to watch, such as `enabled`, `refetchInterval` (milliseconds) and `select`; and `client`.
 * @returns The newest snapshot: `data` is the answer, whose `tokens` has one row a chain. Errors are a state of it;
 *   rendering throws none of them.
 * @throws {Error} when there is neither a provider above nor a client in the options.
 *
 * @example
 * ```tsx
 * import { useTokenInfo } from '@headwater/react'
 *
 * function Name({ address }: { address: string }) {
 *   const { data } = useTokenInfo({ address, chainIds: [1] })
 *   return <h1>{data?.tokens[0]?.name ?? '…'}</h1>
 * }
 * ```
 */
export function useTokenInfo<S = TokenInfoResponse>(
  parameters: TokenInfoParameters,
  options: WatchOptions<TokenInfoResponse, S> & ClientOption = {},
): Snapshot<S> {
  return useSnapshot(useStream(watchTokenInfo<S>, parameters, options))
}
