import type { Client } from '../client/Client.ts'
import type { SnapshotStream } from '../streams/SnapshotStream.ts'
import type { WatchOptions } from '../streams/WatchOptions.ts'
import type { ClientOperation } from './ClientOperation.ts'
import { createQuestion } from './createQuestion.ts'

/** An operation as a stream of snapshots. */
export function watchOperation<Parameters extends object, Response extends object, Item, S>(
  client: Client,
  operation: ClientOperation<Parameters, Response, Item>,
  parameters: Parameters,
  options: WatchOptions<Response, S> = {},
): SnapshotStream<S> {
  return client.streams.watch(createQuestion(client, operation, parameters), options)
}
