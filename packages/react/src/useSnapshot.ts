import { useSyncExternalStore } from 'react'
import type { ShownStream } from './ShownStream.ts'

/** A stream as React subscribes to it. */
interface Store<Shown> {
  readonly subscribe: (onChange: () => void) => () => void
  readonly getServerSnapshot: () => Shown
}

/** One a stream, so that a component that renders makes no functions. */
const stores = new WeakMap<object, Store<unknown>>()

/**
 * The newest snapshot of a stream: the one primitive that all hooks of this package are made of.
 *
 * The snapshot is always that of the stream given in this very render, so what an earlier stream said never shows
 * under a later one. Rendering sends nothing; work starts when the component is mounted and stops when the last
 * component that uses the stream is unmounted. A server renders what the client's cache holds.
 *
 * @param stream - A stream of the core. Give the same one as long as it means the same: the functions of the core do.
 * @returns The newest snapshot, the same object until something changed.
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
export function useSnapshot<Shown>(stream: ShownStream<Shown>): Shown {
  const { subscribe, getServerSnapshot } = storeOf(stream)
  return useSyncExternalStore(subscribe, stream.getSnapshot, getServerSnapshot)
}

function storeOf<Shown>(stream: ShownStream<Shown>): Store<Shown> {
  const existing = stores.get(stream)
  if (existing) {
    return existing as Store<Shown>
  }
  // What it showed when it was first mounted. A part of a server's page that is hydrated later than others has to show
  // this as well, even if they brought something newer meanwhile.
  let mountedWith: Shown | undefined
  const store: Store<Shown> = {
    subscribe(onChange) {
      mountedWith ??= stream.getSnapshot()
      const subscription = stream.subscribe(onChange)
      return () => subscription.unsubscribe()
    },
    getServerSnapshot: () => mountedWith ?? stream.getSnapshot(),
  }
  stores.set(stream, store)
  return store
}
