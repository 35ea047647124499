import { untrack } from 'svelte'
import { toStore } from 'svelte/store'
import { type Client, type WaitForChangeSnapshot, watchForChange } from '@headwater/core'
import { createClientFinder } from './clientContext.ts'
import { createSnapshot } from './createSnapshot.ts'
import { type ReactiveOptions, toGetter } from './ReactiveOptions.ts'
import type { SnapshotStore } from './SnapshotStore.ts'

/**
 * Waits for what a transaction changes: after it was sent, `waitForChange` asks quickly until the answer changes, within a
 * cap of units and time. All that shows the same question is up to date with it. It is cancelled when the last subscriber
 * leaves.
 *
 * @param options - `client`, to be used instead of the context's. A value or a getter.
 * @returns A store of `{ status, data, previous, error, waitForChange, cancel }`. `status` is `idle` before anything is
 * expected.
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
  const clientOf = createClientFinder()
  const read = toGetter(options)
  let client: Client
  let stream: ReturnType<typeof watchForChange<Data>>
  // A stream holds what it expects, so there is one for as long as the client is the same.
  const readStream = () => {
    const newest = clientOf(read())
    if (newest !== client) {
      stream = watchForChange((client = newest))
    }
    return stream
  }
  return untrack(() => createSnapshot(clientOf(read()), toStore(readStream)))
}
