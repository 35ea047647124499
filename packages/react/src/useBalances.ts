import {
  watchBalances,
  type Balance,
  type BalancesParameters,
  type BalancesSnapshot,
  type Client,
  type CollectionOptions,
  type ListParameters,
} from '@headwater/core'
import { useContext } from 'react'

import { clientContext } from './clientContext.ts'
import { requireClient } from './requireClient.ts'
import { useSnapshot } from './useSnapshot.ts'

/** Options of {@link useBalances}: those of the core's `watchBalances`, and the client. */
export interface UseBalancesOptions<S = readonly Balance[]> extends CollectionOptions<Balance, S> {
  /** Used instead of the provider's. */
  client?: Client
}

/**
 * A wallet's token balances and their worth, kept up to date while the component is mounted.
 *
 * Parameters and options may be new objects in each render; only what they say counts. When they change, the snapshot
 * of that very render is the new wallet's: pending, unless the cache knows it.
 *
 * @param parameters - The wallet, and which of its tokens.
 * @param options - How to watch, such as `enabled`, `refetchInterval` (milliseconds), `pageSize` and `select`; and `client`.
 * @returns The newest snapshot. Errors are a state of it; rendering throws none of them.
 * @throws Error when there is neither a provider above nor a client in the options.
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
  options: UseBalancesOptions<S> = {},
): BalancesSnapshot<S> {
  const { client, ...watchOptions } = options
  const provided = useContext(clientContext)
  return useSnapshot(watchBalances(requireClient(client ?? provided), parameters, watchOptions))
}
