import type { Client, SnapshotStream } from '@headwater/core'
import { untrack } from 'svelte'
import { derived, toStore, type Readable } from 'svelte/store'

import { createClientFinder } from './clientContext.ts'
import { createSnapshot } from './createSnapshot.ts'
import { toGetter, type ReactiveOptions } from './ReactiveOptions.ts'
import type { ReactiveParameters } from './ReactiveParameters.ts'
import type { SnapshotStore } from './SnapshotStore.ts'

/** A store over the stream that one of the core's `watch…` functions makes of the arguments of a `create…`. */
export function createStream<Parameters extends object, Options extends object, Shown>(
  watch: (
    client: Client,
    parameters: Parameters,
    options: Options,
  ) => SnapshotStream<unknown, Shown>,
  parameters: ReactiveParameters<NoInfer<Parameters>>,
  options: ReactiveOptions<NoInfer<Options>>,
): SnapshotStore<Shown> {
  const clientOf = createClientFinder()
  const readOptions = toGetter(options)
  const start = (now: Parameters, given: ReturnType<typeof readOptions>) => {
    const { client, ...own } = given
    // What is left of them when the client is out.
    return watch(clientOf({ client }), now, own as unknown as Options)
  }
  // Untracked, as it may be called where what it reads would be followed.
  return untrack(() =>
    createSnapshot(
      // Whether this is a server does not change with the client.
      clientOf(readOptions()),
      'subscribe' in parameters
        ? derived([parameters as Readable<Parameters>, toStore(readOptions)], ([now, given]) =>
            start(now, given),
          )
        : toStore(() =>
            start(typeof parameters === 'function' ? parameters() : parameters, readOptions()),
          ),
    ),
  )
}
