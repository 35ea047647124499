import type { InvalidParameterError } from '../errors/InvalidParameterError.ts'
import type { OperationQueryOptions } from '../operation/operationQueryOptions.ts'
import type { SnapshotStream } from './SnapshotStream.ts'
import type { WatchOptions } from './WatchOptions.ts'

/** The streams of a client: one a question and way to watch it. */
export interface StreamRegistry {
  watch<T, S>(
    query: OperationQueryOptions<T>,
    options: WatchOptions<T, S>,
    invalid: InvalidParameterError | undefined,
  ): SnapshotStream<S>
  destroy(): void
}
