import type { Observable, Subscription } from 'rxjs'
import type { Snapshot, SnapshotStream } from './Snapshot.ts'

type SettlingSnapshot = Pick<Snapshot<unknown>, 'status'> & {
  readonly isPlaceholderData?: boolean
  readonly isPartialData?: boolean
}

/**
 * Subscribes to a stream until it has a response or an error, and a list of prices until each token has: for a page that must not
 * render, or must not be sent by a server, before.
 *
 * @param stream - The stream.
 * @returns The first snapshot that is neither pending, nor partial, nor of placeholder data; immediately if it is known, and for
 *   a disabled stream. An error if the client is destroyed before. Never rejects.
 * @example
 * import { createClient, firstSettled, watchBalances } from '@headwater/core'
 * const client = createClient({ baseUrl: 'https://example.org', apiKey: 'key' })
 * const address = '0xd8da6bf26964af9d7eed9e03e53415d37aa96045'
 * const { data, error } = await firstSettled(watchBalances(client, { address }))
 * console.log(data?.length ?? error?.shortMessage)
 */
export function firstSettled<TSnapshot extends SettlingSnapshot>(
  // With `SnapshotStream<unknown, TSnapshot>`, TypeScript infers unknown rows for a stream created inline.
  stream: Observable<TSnapshot> &
    Pick<SnapshotStream<never, TSnapshot>, 'getSnapshot' | 'isEnabled'>,
): Promise<TSnapshot> {
  const initial = stream.getSnapshot()
  // Without a subscription, which would refetch a stale response.
  if (stream.isEnabled === false || isSettled(initial)) {
    return Promise.resolve(initial)
  }
  // Without the operators of RxJS, which are as large as a binding.
  let subscription: Subscription
  return new Promise<TSnapshot>((resolve) => {
    subscription = stream.subscribe({
      next(snapshot) {
        if (isSettled(snapshot)) {
          resolve(snapshot)
        }
      },
      complete: () => resolve(stream.getSnapshot()),
    })
  }).finally(() => subscription.unsubscribe())
}

function isSettled({ status, isPlaceholderData, isPartialData }: SettlingSnapshot): boolean {
  return status !== 'pending' && !isPlaceholderData && !isPartialData
}
