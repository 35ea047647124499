import { useMemo } from 'react'
import { type WaitForChangeSnapshot, watchForChange } from '@headwater/core'
import { type ClientOption, useResolvedClient } from './client.tsx'
import { useSnapshot } from './useSnapshot.ts'

/**
 * Waits for the change that a transaction causes: polls at short intervals until the response changes, within a limit of
 * units and time. Other hooks of the same query receive each response too. Unmounting cancels it.
 *
 * @param options - `client`, used instead of that of the provider.
 * @returns The state as `status`, `data`, `previous` and `error`; `waitForChange(queryOptions, options)` to start and
 *   `cancel()`, both of which keep their identity.
 * @throws {Error} when there is neither a provider above nor a client in the options.
 *
 * @example
 * ```tsx
 * import { tokenBalanceQueryOptions } from '@headwater/core'
 * import { useClient, useWaitForChange } from '@headwater/react'
 *
 * function Pay({ address, send }: { address: string; send: () => Promise<void> }) {
 *   const client = useClient()
 *   const { status, waitForChange } = useWaitForChange()
 *   const pay = async () => {
 *     await send()
 *     await waitForChange(tokenBalanceQueryOptions(client, { address, tokenAddress: 'native', chainIds: [1] }))
 *   }
 *   return <button onClick={() => void pay()}>{status === 'pending' ? 'On its way…' : 'Pay'}</button>
 * }
 * ```
 */
export function useWaitForChange<Data = unknown>(
  options: ClientOption = {},
): WaitForChangeSnapshot<Data> {
  const client = useResolvedClient(options.client)
  // Each component waits for its own change.
  const stream = useMemo(() => watchForChange<Data>(client), [client])
  return useSnapshot(stream)
}
