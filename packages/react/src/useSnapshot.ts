import type { SnapshotStream } from '@headwater/core'
import { useCallback, useSyncExternalStore } from 'react'

/**
 * What each stream showed when it was first mounted. A part of a server's page that is hydrated later than others has
 * to show this as well, even if they brought something newer meanwhile.
 */
const mountedWith = new WeakMap<object, unknown>()

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
export function useSnapshot<Shown>(stream: SnapshotStream<unknown, Shown>): Shown {
  const subscribe = useCallback(
    (onChange: () => void) => {
      if (!mountedWith.has(stream)) mountedWith.set(stream, stream.getSnapshot())
      const subscription = stream.subscribe(onChange)
      return () => subscription.unsubscribe()
    },
    [stream],
  )
  const getServerSnapshot = () =>
    (mountedWith.get(stream) as Shown | undefined) ?? stream.getSnapshot()
  return useSyncExternalStore(subscribe, stream.getSnapshot, getServerSnapshot)
}
