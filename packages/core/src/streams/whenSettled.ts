import type { Observable, Subscription } from 'rxjs'
import type { Snapshot } from './Snapshot.ts'
import type { SnapshotStream } from './SnapshotStream.ts'

/**
 * Subscribes to a stream until it has an answer or an error: for a page that is not to be shown, or not to be sent by a
 * server, before.
 *
 * @param stream - What to wait for. One that is not `enabled` may be waited for in vain.
 * @returns The first snapshot that is not pending; at once where that is known. When the client is destroyed before, the
 *   pending one. Never rejects.
 * @example
 * import { createClient, watchBalances, whenSettled } from '@headwater/core'
 * const client = createClient({ baseUrl: 'https://example.org', apiKey: 'key' })
 * const address = '0xd8da6bf26964af9d7eed9e03e53415d37aa96045'
 * const { data, error } = await whenSettled(watchBalances(client, { address }))
 * console.log(data?.length ?? error?.shortMessage)
 */
export function whenSettled<Shown extends Pick<Snapshot<unknown>, 'status'>>(
  // By `SnapshotStream<unknown, Shown>` TypeScript would take the rows of a stream made on the spot for unknown.
  stream: Observable<Shown> & Pick<SnapshotStream<never, Shown>, 'getSnapshot'>,
): Promise<Shown> {
  const before = stream.getSnapshot()
  // By hand, since rxjs's operators for it weigh as much as a binding.
  let subscription: Subscription
  return new Promise<Shown>((resolve) => {
    subscription = stream.subscribe({
      next: (snapshot) => snapshot.status !== 'pending' && resolve(snapshot),
      complete: () => resolve(before),
    })
  }).finally(() => subscription.unsubscribe())
}
