import type { SnapshotStream } from '@headwater/core'

/**
 * What hooks need of a stream, told by what it shows alone: by `SnapshotStream<unknown, Shown>` TypeScript would take the
 * rows of a stream made on the spot for unknown.
 */
export type ShownStream<Shown> = Pick<SnapshotStream<never, Shown>, 'getSnapshot' | 'subscribe'>
