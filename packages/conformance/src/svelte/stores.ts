import type { SnapshotStore } from '@headwater/svelte'
import * as binding from '@headwater/svelte'
import {
  getStreamFunctions,
  type SnapshotStreamName,
  type StreamName,
  type Streams,
} from '../Streams.ts'

const { createUsage, createWaitForChange } = binding

/** The stores of the binding, one of each stream of snapshots. */
type Binding = {
  readonly [Name in SnapshotStreamName as `create${Capitalize<Name>}`]: (
    parameters: () => Streams[Name]['parameters'],
    options: () => Streams[Name]['options'],
  ) => SnapshotStore<Streams[Name]['value']>
}

type CreateStore = (parameters: () => never, options: () => never) => SnapshotStore<unknown>

/** The functions that create stores. */
export const stores: Record<StreamName, CreateStore> = {
  ...getStreamFunctions<CreateStore>(binding satisfies Binding, 'create'),
  usage: (_, options) => createUsage(options()),
  waitForChange: (_, options) => createWaitForChange(options()),
}
