import { untrack } from 'svelte'
import { createSubscriber } from 'svelte/reactivity'
import { derived, get, type Readable, readable } from 'svelte/store'
import { type Client, SnapshotReader, type SnapshotStream } from '@headwater/core'

/**
 * A store of the latest snapshot of a stream: `$store` in a component, or `store.current` with runes.
 *
 * @example
 * ```ts
 * import type { BalancesSnapshot } from '@headwater/core'
 * import type { SnapshotStore } from '@headwater/svelte'
 *
 * const count = (balances: SnapshotStore<BalancesSnapshot>) => balances.current.data?.length ?? 0
 * ```
 */
export interface SnapshotStore<TSnapshot> extends Readable<TSnapshot> {
  /**
   * The latest snapshot. A read in a template, a `$derived` or an `$effect` subscribes to the stream for its lifetime; that of a
   * `$derived` that only event handlers read ends with its component. Other reads return what is cached and send no request.
   */
  readonly current: TSnapshot
}

/**
 * A store of the latest snapshot of a stream: the primitive of all stores of this package.
 *
 * Requests and polls start with the first subscriber and stop with the last. When the stream changes, the store has the
 * snapshot of the new stream at once, and never again one of the earlier stream.
 *
 * @param client - Its `ssr` determines whether this renders on a server. There the store has what is cached and sends no
 *   request.
 * @param streams - Store of the stream; `toStore(() => …)` and `readable(…)` create one.
 * @param readChanged - Returns the current stream if it differs from that of `streams`, for stores that change with the next
 *   update of the page, such as those of `toStore`. With it `current` is never stale.
 * @returns A store whose value is the same object until it changes; `current` is the same for runes.
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
export function createSnapshot<TSnapshot>(
  client: Pick<Client, 'ssr'>,
  streams: Readable<SnapshotStream<unknown, TSnapshot>>,
  readChanged: () => SnapshotStream<unknown, TSnapshot> | undefined = () => undefined,
): SnapshotStore<TSnapshot> {
  let reader: SnapshotReader<TSnapshot> | undefined
  /** The stream of the reader. */
  let latest: SnapshotStream<unknown, TSnapshot> | undefined
  const readerOf = (stream: SnapshotStream<unknown, TSnapshot>) => {
    if (!reader || stream !== latest) {
      latest = stream
      reader = new SnapshotReader(stream, reader)
    }
    return reader
  }
  /** The stream that is subscribed to while the store has subscribers. */
  let subscribed: SnapshotStream<unknown, TSnapshot> | undefined

  const live = readable<TSnapshot>(undefined, (set) => {
    let source: SnapshotReader<TSnapshot>['source'] | undefined
    let value: TSnapshot | undefined
    const update = () => {
      const next = readerOf(subscribed!).getSnapshot()
      if (next !== value) {
        set((value = next))
      }
    }
    let leave = () => {}
    const leaveStreams = streams.subscribe((stream) => {
      subscribed = stream
      // Untracked, so that what `select` reads does not become a dependency.
      untrack(() => {
        const next = readerOf(stream).source
        if (next !== source) {
          source = next
          leave()
          leave = next.subscribe(update)
        }
        update()
      })
    })
    return () => {
      leaveStreams()
      leave()
      subscribed = undefined
    }
  })
  const { subscribe } = client.ssr
    ? derived(streams, (stream) => readerOf(stream).getSnapshot())
    : live

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
      // Tracked, so that a `$derived` of it has changed as soon as the parameters have.
      const changed = readChanged()
      return untrack(() => readerOf(changed ?? subscribed ?? get(streams)).getSnapshot())
    },
  }
}
