import { useEffect, useMemo, useRef, useSyncExternalStore } from 'react'
import { SnapshotReader, type SnapshotStream } from '@headwater/core'

/**
 * What hooks use of a stream. With `SnapshotStream<unknown, TSnapshot>` TypeScript would infer `unknown` for the rows of a
 * stream that is created in the argument of a hook.
 */
export type SnapshotSource<TSnapshot> = Pick<
  SnapshotStream<never, TSnapshot>,
  'getSnapshot' | 'subscribe'
>

type Source<TSnapshot> = SnapshotReader<TSnapshot>['source']

/** The source of streams in the form of `useSyncExternalStore`. */
interface Store<TSnapshot> {
  readonly subscribe: (onChange: () => void) => () => void
  /** The snapshot that the server rendered. */
  readonly getServerSnapshot: (reader: SnapshotReader<TSnapshot>) => TSnapshot
}

/** One per source, as React subscribes again when the functions change. */
const stores = new WeakMap<object, Store<unknown>>()

/**
 * The latest snapshot of a stream: the primitive of all hooks of this package.
 *
 * The snapshot is that of the stream of this render, so data of an earlier stream never appears with the parameters of a
 * later one. Rendering sends no request. Requests and polls start when the component is mounted and stop when the last
 * component that uses the stream is unmounted. A server renders what the cache of the client contains.
 *
 * @param stream - A stream of core. It may be a new object in each render, as with a `select` that is created inline: the
 *   subscription stays as long as the query is the same, and equal data keeps its identity.
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
  return useReader(stream).snapshot
}

/** The latest snapshot of a stream, and its reader. */
export function useReader<TSnapshot>(stream: SnapshotSource<TSnapshot>): {
  readonly reader: SnapshotReader<TSnapshot>
  readonly snapshot: TSnapshot
} {
  const committed = useRef<SnapshotReader<TSnapshot>>(undefined)
  // The latest committed reader, as in use-sync-external-store/with-selector.
  // eslint-disable-next-line react-hooks/refs -- only the identity of equal data depends on it
  const reader = useMemo(() => new SnapshotReader(stream, committed.current), [stream])
  useEffect(() => {
    committed.current = reader
  }, [reader])
  const { subscribe, getServerSnapshot } = storeOf(reader.source)
  const snapshot = useSyncExternalStore(subscribe, reader.getSnapshot, () =>
    getServerSnapshot(reader),
  )
  return { reader, snapshot }
}

function storeOf<TSnapshot>(source: Source<TSnapshot>): Store<TSnapshot> {
  const existing = stores.get(source)
  if (existing) {
    return existing as Store<TSnapshot>
  }
  // A part of a page that is hydrated later than others must render the snapshot that the server rendered, even if the
  // other parts have received a newer one since.
  let hydrated: Parameters<SnapshotReader<TSnapshot>['apply']> | undefined
  const store: Store<TSnapshot> = {
    subscribe(onChange) {
      hydrated ??= [source.read(), source.readFetchState?.()]
      return source.subscribe(onChange)
    },
    getServerSnapshot: (reader) => (hydrated ? reader.apply(...hydrated) : reader.getSnapshot()),
  }
  stores.set(source, store as Store<unknown>)
  return store
}
