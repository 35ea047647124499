import { useEffect } from 'react'
import type { Snapshot } from '@headwater/core'
import type { ClientOption } from './client.tsx'
import { type SnapshotSource, useReader } from './useSnapshot.ts'
import { isAwaited, isStaleError, release, waitForSnapshot } from './waitForSnapshot.ts'

/**
 * Options of the hooks that suspend: those of core, and the client. There is no `enabled`, as a disabled component would
 * stay suspended.
 *
 * @example
 * ```ts
 * import type { PriceTick, WatchPriceOptions } from '@headwater/core'
 * import { useSuspensePrice, type SuspenseOptions } from '@headwater/react'
 *
 * type Options = SuspenseOptions<WatchPriceOptions<PriceTick>>
 *
 * export const useEther = (options: Options) =>
 *   useSuspensePrice({ chainId: 1, address: 'native' }, options)
 * ```
 */
export type SuspenseOptions<Options> = Omit<Options, 'enabled'> & ClientOption

/**
 * A snapshot that has data, as returned by the hooks that suspend: of the latest response, or of the last successful one
 * beside the error of a later attempt.
 *
 * @example
 * ```ts
 * import type { BalancesSnapshot } from '@headwater/core'
 * import type { SuspenseSnapshot } from '@headwater/react'
 *
 * export const count = ({ data }: SuspenseSnapshot<BalancesSnapshot>) => data.length
 * ```
 */
export type SuspenseSnapshot<TSnapshot extends Snapshot<unknown>> = Exclude<
  TSnapshot,
  { readonly status: 'pending' }
> & { readonly data: Extract<TSnapshot, { readonly status: 'success' }>['data'] }

/**
 * The latest snapshot of a stream that has data: the primitive of the hooks that suspend.
 *
 * Suspends until the first response. The request is sent at once, and once, regardless of how often React renders
 * meanwhile. An error is thrown to the nearest error boundary only where there is no data to display. Later errors are part
 * of the snapshot, beside the data of the last successful response. After a reset of the boundary the hook requests again,
 * unless the error is less than a second old: then it is thrown again. The stream of a component that is never mounted
 * stays subscribed for up to ten seconds, and on a server until its response is there.
 *
 * @param stream - A stream of core. It may be a new object in each render, as with a `select` that is created inline.
 * @returns The latest snapshot, which has data.
 * @throws {Promise} while the first response is pending, which suspends the component.
 * @throws {HeadwaterError} when there is no data to display, also because `select` threw an error.
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
export function useSuspenseSnapshot<TSnapshot extends Snapshot<unknown>>(
  stream: SnapshotSource<TSnapshot>,
): SuspenseSnapshot<TSnapshot> {
  const { reader, snapshot: rendered } = useReader(stream)
  const { source } = reader
  useEffect(() => release(source))
  // During hydration the rendered snapshot is that of the server, which may be older than the current one.
  const snapshot = rendered.status === 'pending' ? reader.getSnapshot() : rendered
  const { status, data, error } = snapshot
  const response = source.read()
  // `select` may return undefined.
  const hasData = data !== undefined || response.data !== undefined
  if (error ? !hasData : status === 'pending') {
    if (!error || isAwaited(source) || isStaleError(error)) {
      // eslint-disable-next-line @typescript-eslint/only-throw-error -- React 18 suspends on a thrown promise
      throw waitForSnapshot(source)
    }
    throw error
  }
  if (error && data === undefined && error !== response.error) {
    // `select` threw it. Another request would not help.
    throw error
  }
  return snapshot as SuspenseSnapshot<TSnapshot>
}
