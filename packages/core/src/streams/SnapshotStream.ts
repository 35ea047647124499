import type { Observable } from 'rxjs'
import type { Snapshot } from './Snapshot.ts'

/**
 * A stream of snapshots.
 *
 * Cold: nothing is asked before the first subscription. Shared: all its subscribers, and all streams of the same
 * question, live on one request and one poll. Replays: a subscriber gets the newest snapshot synchronously. Emits only
 * when something changed. Is torn down a moment after its last subscriber left. Never errors; completes only when its
 * client is destroyed.
 *
 * @example
 * import type { SnapshotStream, TokenInfoResponse } from '@headwater/core'
 * import { map } from 'rxjs'
 * const prices = (stream: SnapshotStream<TokenInfoResponse>) =>
 *   stream.pipe(map(({ data }) => data?.tokens[0]?.price_usd))
 */
export interface SnapshotStream<T, Shown = Snapshot<T>> extends Observable<Shown> {
  /**
   * The newest snapshot, also before anybody subscribed: what the cache knows, or a pending one.
   *
   * @returns The same reference until something changed. Needs no `this`.
   */
  readonly getSnapshot: () => Shown
}
