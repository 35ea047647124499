import {
  type Balance,
  type BalancesParameters,
  type BalancesSnapshot,
  type CollectionOptions,
  type ListParameters,
  watchBalances,
} from '@headwater/core'
import type { ClientOption } from './ClientOption.ts'
import { useSnapshot } from './useSnapshot.ts'
import { useStream } from './useStream.ts'

/**
 * A wallet's token balances and their worth, kept up to date while the component is mounted.
 *
 * Parameters and options may be new objects in each render; only what they say counts. When they change, the snapshot
 * of that very render is the new wallet's: pending, unless the cache knows it.
 *
 * @param parameters - The wallet, and which of its tokens.
 * @param options - How to watch, such as `enabled`, `refetchInterval` (milliseconds), `pageSize` and `select`; and
 *   `client`.
 * @returns The newest snapshot: `data` is one row a token. Errors are a state of it; rendering throws none of them.
 * @throws {Error} when there is neither a provider above nor a client in the options.
 *
 * @example
 * ```tsx
 * import { useBalances } from '@headwater/react'
 *
 * function Wallet({ address }: { address: string }) {
 *   const { status, data, error } = useBalances({ address })
 *   if (status === 'pending') return <p>Loading…</p>
 *   if (!data) return <p>{error?.message}</p>
 *   return <ul>{data.map((token) => <li key={`${token.chain_id}/${token.address}`}>{token.symbol}</li>)}</ul>
 * }
 * ```
 */
export function useBalances<S = readonly Balance[]>(
  parameters: ListParameters<BalancesParameters>,
  options: CollectionOptions<Balance, S> & ClientOption = {},
): BalancesSnapshot<S> {
  return useSnapshot(useStream(watchBalances<S>, parameters, options))
}
