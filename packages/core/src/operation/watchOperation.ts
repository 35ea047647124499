import type { Client } from '../client/Client.ts'
import type { SnapshotStream } from '../streams/SnapshotStream.ts'
import type { WatchOptions } from '../streams/WatchOptions.ts'
import type { ClientOperation } from './ClientOperation.ts'
import { findInvalidParameter } from './findInvalidParameter.ts'
import { createQueryOptions } from './createQueryOptions.ts'
import { normalizeParameters } from './normalizeParameters.ts'

/** An operation as a stream of snapshots. */
export function watchOperation<Parameters extends object, Response extends object, Item, S>(
  client: Client,
  operation: ClientOperation<Parameters, Response, Item>,
  parameters: Parameters,
  options: WatchOptions<Response, S> = {},
): SnapshotStream<S> {
  const normalized = normalizeParameters(parameters)
  return client.streams.watch(
    {
      query: createQueryOptions(client, operation, parameters),
      cost: () => client.ledger.costOf(operation.declaration, normalized),
      invalid: findInvalidParameter(operation, parameters),
    },
    options,
  )
}
