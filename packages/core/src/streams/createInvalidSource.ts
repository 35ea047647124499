import type { InvalidParameterError } from '../errors/InvalidParameterError.ts'
import { createSnapshotReader } from './createSnapshotReader.ts'
import type { StreamSource } from './OperationStream.ts'
import type { WatchOptions } from './WatchOptions.ts'

/** The source of a stream of what cannot be asked: it shows why. */
export function createInvalidSource<T, S>(
  options: Pick<WatchOptions<T, S>, 'enabled' | 'select' | 'placeholderData'>,
  error: InvalidParameterError,
): StreamSource<S> {
  const read = createSnapshotReader(options, () => Promise.resolve())
  // A stream that never asks has nothing to refuse: the parameters may still be on their way.
  const state = options.enabled === false ? undefined : ({ status: 'error', error } as const)
  return { read: () => read(state), start() {}, stop() {} }
}
