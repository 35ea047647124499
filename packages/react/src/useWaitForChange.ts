import { useMemo } from 'react'
import { type WaitForChangeSnapshot, watchForChange } from '@headwater/core'
import { type ClientOption, useResolvedClient } from './client.tsx'
import { useSnapshot } from './useSnapshot.ts'

/**
 * Waits for the change that a transaction causes: polls at short intervals until the response changes, within a limit of
 * units and time. Other hooks of the same query receive each response too. Unmounting cancels it.
 *
 * With the option `transaction` (its hash and a viem public client), the wait follows the transaction first, and `status` may
 * also be `reverted`, `replaced`, `dropped` or `reorged`; `token` and `minDelta` limit the changes that count.
 *
 * @param options - `client`, used instead of that of the provider.
 * @returns The state as `status`, `data`, `previous`, `error` and `transaction`; `waitForChange(queryOptions, options)` to
 *   start and `cancel()`, both of which keep their identity.
 * @throws {Error} when there is neither a provider above nor a client in the options.
 *
 * @example
 * ```tsx
 * import { tokenBalanceQueryOptions, type TransactionClient } from '@headwater/core'
 * import { useClient, useWaitForChange } from '@headwater/react'
 *
 * function Pay({ address, node, send }: { address: string; node: TransactionClient; send: () => Promise<`0x${string}`> }) {
 *   const client = useClient()
 *   const { status, waitForChange } = useWaitForChange()
 *   const pay = async () => {
 *     const query = tokenBalanceQueryOptions(client, { address, tokenAddress: 'native', chainIds: [1] })
 *     await waitForChange(query, { transaction: { hash: await send(), client: node } })
 *   }
 *   return <button onClick={() => void pay()}>{status === 'pending' ? 'On its way…' : 'Pay'}</button>
 * }
 * ```
 */
export function useWaitForChange<Data = unknown>(
  options: ClientOption = {},
): WaitForChangeSnapshot<Data> {
  const client = useResolvedClient(options)
  // Each component waits for its own change.
  const stream = useMemo(() => watchForChange<Data>(client), [client])
  return useSnapshot(stream)
}
