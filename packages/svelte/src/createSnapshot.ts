import { untrack } from 'svelte'
import { createSubscriber } from 'svelte/reactivity'
import { derived, get, type Readable, readable } from 'svelte/store'
import type { Client, SnapshotStream } from '@headwater/core'
import type { SnapshotStore } from './SnapshotStore.ts'

/**
 * A store of the newest snapshot of a stream: the one primitive that all stores of this package are made of.
 *
 * Work starts with the first subscriber and stops with the last. When the stream changes, the store holds the new
 * stream's snapshot at once, and never again one of the earlier stream.
 *
 * @param client - Knows whether this renders on a server. There a store is read once and then forgotten, so it holds what
 * the client's cache knows and asks nothing.
 * @param streams - Store of the stream to follow; `toStore(() => …)` and `readable(…)` make one.
 * @param readChanged - Where `streams` only changes with the next update of the page, as `toStore` does: the stream of this
 * very moment if it is another one. With it `current` is never behind.
 * @returns A store whose value is the same object until something changed; `current` is the same for runes.
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
export function createSnapshot<Shown>(
  client: Pick<Client, 'ssr'>,
  streams: Readable<SnapshotStream<unknown, Shown>>,
  readChanged: () => SnapshotStream<unknown, Shown> | undefined = () => undefined,
): SnapshotStore<Shown> {
  /** The stream that is followed while anyone subscribes. */
  let followed: SnapshotStream<unknown, Shown> | undefined

  const live = readable<Shown>(undefined, (set) => {
    let leave = () => {}
    const leaveStreams = streams.subscribe((stream) => {
      if (stream === followed) {
        return
      }
      followed = stream
      leave()
      // Untracked, so that what the stream happens to read is not taken for something to follow.
      const subscription = untrack(() => stream.subscribe(set))
      leave = () => subscription.unsubscribe()
    })
    return () => {
      leaveStreams()
      leave()
      followed = undefined
    }
  })
  const { subscribe } = client.ssr ? derived(streams, (stream) => stream.getSnapshot()) : live

  const track = createSubscriber((update) => {
    let isFirst = true
    const leave = subscribe(() => {
      if (!isFirst) {
        update()
      }
    })
    isFirst = false
    return leave
  })

  return {
    subscribe,
    get current() {
      track()
      return untrack(() => (readChanged() ?? followed ?? get(streams)).getSnapshot())
    },
  }
}
