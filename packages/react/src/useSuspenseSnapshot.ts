import { useEffect } from 'react'
import type { Snapshot } from '@headwater/core'
import type { ShownStream } from './ShownStream.ts'
import type { SuspenseSnapshot } from './SuspenseSnapshot.ts'
import { useSnapshot } from './useSnapshot.ts'
import { isAwaited, isPast, release, waitForSnapshot } from './waitForSnapshot.ts'

/** Streams that have been answered, whatever `select` made of it. */
const answered = new WeakSet<object>()

/**
 * The newest snapshot of a stream, once there is one: the primitive of the hooks that suspend.
 *
 * Suspends until the first answer, which is asked for at once, and once, however often React renders meanwhile. An error
 * is thrown to the nearest error boundary only where there is no data to show; later errors come in the snapshot, beside
 * the last good answer. When the boundary is reset it asks again, unless the error came less than a second ago: then that
 * is thrown once more. What a component was suspended for goes on for up to ten seconds if it is never mounted.
 *
 * @param stream - A stream of the core. Give the same one as long as it means the same: the functions of the core do.
 * @returns The newest snapshot, which has data.
 * @throws {Promise} while the first response is pending, which suspends the component.
 * @throws {HeadwaterError} when there is no data to show.
 *
 * @example
 * ```tsx
 * import { watchBalances } from '@headwater/core'
 * import { useClient, useSuspenseSnapshot } from '@headwater/react'
 * import { Suspense } from 'react'
 *
 * function Count({ address }: { address: string }) {
 *   const { data } = useSuspenseSnapshot(watchBalances(useClient(), { address }))
 *   return <p>{data.length} tokens</p>
 * }
 *
 * export const Page = ({ address }: { address: string }) => (
 *   <Suspense fallback={<p>Loading…</p>}>
 *     <Count address={address} />
 *   </Suspense>
 * )
 * ```
 */
export function useSuspenseSnapshot<Shown extends Snapshot<unknown>>(
  stream: ShownStream<Shown>,
): SuspenseSnapshot<Shown> {
  const shown = useSnapshot(stream)
  useEffect(() => release(stream))
  // While a server's page is hydrated, what it showed may be older than what there is now.
  const snapshot = shown.status === 'pending' ? stream.getSnapshot() : shown
  const { status, data, error } = snapshot
  if (status === 'success') {
    answered.add(stream)
  }
  if (!error ? status === 'pending' : data === undefined && !answered.has(stream)) {
    if (!error || isAwaited(stream) || isPast(error)) {
      // eslint-disable-next-line @typescript-eslint/only-throw-error -- so one suspends in React 18
      throw waitForSnapshot(stream)
    }
    throw error
  }
  return snapshot as SuspenseSnapshot<Shown>
}
