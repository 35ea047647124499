import { untrack } from 'svelte'
import { toStore } from 'svelte/store'
import { type Client, type WaitForChangeSnapshot, watchForChange } from '@headwater/core'
import { createClientResolver, type ReactiveOptions, toGetter } from './client.ts'
import { createSnapshot, type SnapshotStore } from './createSnapshot.ts'

/**
 * Waits for the change that a transaction causes: `waitForChange` polls at short intervals until the response changes,
 * within a limit of units and time. Other stores of the same query receive each response too. It is cancelled when the last
 * subscriber unsubscribes.
 *
 * With the option `transaction` (its hash and a viem public client), the wait follows the transaction first, and `status` may
 * also be `reverted`, `replaced`, `dropped` or `reorged`; `token` and `minDelta` limit the changes that count.
 *
 * @param options - `client`, used instead of that of the context. A value or a getter.
 * @returns A store of `{ status, data, previous, error, transaction, waitForChange, cancel }`. `status` is `idle` until
 *   `waitForChange` is called.
 * @throws {Error} when there is neither a client in the context nor in the options.
 *
 * @example
 * ```svelte
 * <script lang="ts">
 *   import { balancesQueryOptions } from '@headwater/core'
 *   import { createWaitForChange, getClient } from '@headwater/svelte'
 *
 *   let { address }: { address: string } = $props()
 *   const client = getClient()
 *   const change = createWaitForChange()
 *   const onsent = () => $change.waitForChange(balancesQueryOptions(client, { address }))
 * </script>
 *
 * {#if $change.status === 'pending'}<p>Waiting for the transaction…</p>{/if}
 * ```
 */
export function createWaitForChange<Data = unknown>(
  options: ReactiveOptions = {},
): SnapshotStore<WaitForChangeSnapshot<Data>> {
  const resolveClient = createClientResolver()
  const read = toGetter(options)
  let client: Client
  let stream: ReturnType<typeof watchForChange<Data>>
  // The stream holds the pending change, so it is created once per client.
  const readStream = () => {
    const latest = resolveClient(read())
    if (latest !== client) {
      stream = watchForChange((client = latest))
    }
    return stream
  }
  return untrack(() => createSnapshot(resolveClient(read()), toStore(readStream)))
}
