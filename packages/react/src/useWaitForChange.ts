import { useMemo } from 'react'
import { type WaitForChangeSnapshot, watchForChange } from '@headwater/core'
import type { ClientOption } from './ClientOption.ts'
import { useProvidedClient } from './useProvidedClient.ts'
import { useSnapshot } from './useSnapshot.ts'

/**
 * Waits for what a transaction changes: asks quickly until the answer changes, within a cap of units and time. Whatever
 * else on the page shows the same answer shows each newer one too. Unmounting cancels it.
 *
 * @param options - `client`, to be used instead of the provider's.
 * @returns What came of it so far as `status`, `data`, `previous` and `error`; `waitForChange(queryOptions, options)` to
 *   begin and `cancel()`, both of which keep their identity.
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
  const client = useProvidedClient(options.client)
  // Each component expects something of its own.
  const stream = useMemo(() => watchForChange<Data>(client), [client])
  return useSnapshot(stream)
}
