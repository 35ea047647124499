import type { Client, Snapshot, SnapshotStream } from '@headwater/core'
import { untrack } from 'svelte'
import { derived, readable, type Readable } from 'svelte/store'

/**
 * A store of the newest snapshot of a stream: the one primitive that all stores of this package are made of.
 *
 * Work starts with the first subscriber and stops with the last. When the stream changes, the store holds the new
 * stream's snapshot at once, and never again one of the earlier stream.
 *
 * @param client - Knows whether this renders on a server. There a store is read once and then forgotten, so it holds what
 * the client's cache knows and asks nothing.
 * @param streams - Store of the stream to follow; `toStore(() => …)` and `readable(…)` make one.
 * @returns A store whose value is the same object until something changed.
 *
 * @example
 * ```svelte
 * <script lang="ts">
 *   import { watchBalances } from '@headwater/core'
 *   import { createSnapshot, getClient } from '@headwater/svelte'
 *   import { toStore } from 'svelte/store'
 *
 *   let { address }: { address: string } = $props()
 *   const client = getClient()
 *   const balances = createSnapshot(
 *     client,
 *     toStore(() => watchBalances(client, { address })),
 *   )
 * </script>
 *
 * <p>{$balances.data?.length ?? '…'} tokens</p>
 * ```
 */
export function createSnapshot<Shown extends Snapshot<unknown>>(
  client: Pick<Client, 'ssr'>,
  streams: Readable<SnapshotStream<unknown, Shown>>,
): Readable<Shown> {
  if (client.ssr) return derived(streams, (stream) => stream.getSnapshot())
  return readable<Shown>(undefined, (set) => {
    let current: SnapshotStream<unknown, Shown> | undefined
    let leave = () => {}
    const leaveStreams = streams.subscribe((stream) => {
      if (stream === current) return
      current = stream
      leave()
      // Untracked, so that what the stream happens to read is not taken for something to follow.
      const subscription = untrack(() => stream.subscribe(set))
      leave = () => subscription.unsubscribe()
    })
    return () => {
      leaveStreams()
      leave()
    }
  })
}
