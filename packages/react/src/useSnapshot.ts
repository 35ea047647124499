import { useSyncExternalStore } from 'react'
import type { SnapshotStream } from '@headwater/core'

/**
 * What hooks use of a stream. With `SnapshotStream<unknown, TSnapshot>` TypeScript would infer `unknown` for the rows of a
 * stream that is created in the argument of a hook.
 */
export type SnapshotSource<TSnapshot> = Pick<
  SnapshotStream<never, TSnapshot>,
  'getSnapshot' | 'subscribe'
>

/** A stream in the form of `useSyncExternalStore`. */
interface Store<TSnapshot> {
  readonly subscribe: (onChange: () => void) => () => void
  readonly getServerSnapshot: () => TSnapshot
}

/** One per stream, as React subscribes again when the functions change. */
const stores = new WeakMap<object, Store<unknown>>()

/**
 * The latest snapshot of a stream: the primitive of all hooks of this package.
 *
 * The snapshot is that of the stream of this render, so data of an earlier stream never appears with the parameters of a
 * later one. Rendering sends no request. Requests and polls start when the component is mounted and stop when the last
 * component that uses the stream is unmounted. A server renders what the cache of the client contains.
 *
 * @param stream - A stream of core. It must be the same object in each render: the functions of core return the same
 *   stream for equal parameters.
 * @returns The latest snapshot, the same object until it changes.
 *
 * @example
 * ```tsx
 * import { watchBalances } from '@headwater/core'
 * import { useClient, useSnapshot } from '@headwater/react'
 *
 * function Count({ address }: { address: string }) {
 *   const { data } = useSnapshot(watchBalances(useClient(), { address }))
 *   return <p>{data?.length ?? '…'} tokens</p>
 * }
 * ```
 */
export function useSnapshot<TSnapshot>(stream: SnapshotSource<TSnapshot>): TSnapshot {
  const { subscribe, getServerSnapshot } = storeOf(stream)
  return useSyncExternalStore(subscribe, stream.getSnapshot, getServerSnapshot)
}

function storeOf<TSnapshot>(stream: SnapshotSource<TSnapshot>): Store<TSnapshot> {
  const existing = stores.get(stream)
  if (existing) {
    return existing as Store<TSnapshot>
  }
  // A part of a page that is hydrated later than others must render the snapshot that the server rendered, even if the
  // other parts have received a newer one since.
  let hydrated: TSnapshot | undefined
  const store: Store<TSnapshot> = {
    subscribe(onChange) {
      hydrated ??= stream.getSnapshot()
      const subscription = stream.subscribe(onChange)
      return () => subscription.unsubscribe()
    },
    getServerSnapshot: () => hydrated ?? stream.getSnapshot(),
  }
  stores.set(stream, store)
  return store
}
