import type { SnapshotStore } from '@headwater/svelte'
import * as binding from '@headwater/svelte'
import { getStreamFunctions, type StreamName } from '../Streams.ts'

const { createUsage, createWaitForChange } = binding

type CreateStore = (parameters: () => never, options: () => never) => SnapshotStore<unknown>

/** The functions that create stores. */
export const stores: Record<StreamName, CreateStore> = {
  ...getStreamFunctions<CreateStore>(binding, 'create'),
  usage: (_, options) => createUsage(options()),
  waitForChange: (_, options) => createWaitForChange(options()),
}
