import { untrack } from 'svelte'
import { derived, type Readable, toStore } from 'svelte/store'
import type { Client, SnapshotStream } from '@headwater/core'
import { createClientFinder } from './clientContext.ts'
import type { ClientOption } from './ClientOption.ts'
import { createSnapshot } from './createSnapshot.ts'
import { type ReactiveOptions, toGetter } from './ReactiveOptions.ts'
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
  const ask = (now: Parameters, { client, ...rest }: Options & ClientOption, isBare = false) =>
    // What is left of the options when the client is out.
    watch(clientOf({ client }), now, (isBare ? {} : rest) as unknown as Options)

  // Untracked, as it may be called where what it reads would be followed.
  return untrack(() => {
    // Whether this is a server does not change with the client.
    const host = clientOf(readOptions())
    if ('subscribe' in parameters) {
      const streams = derived([parameters as Readable<Parameters>, toStore(readOptions)], (both) =>
        ask(...both),
      )
      return createSnapshot(host, streams)
    }
    const read = typeof parameters === 'function' ? parameters : () => parameters
    /** The question of the stream in the store: the core gives equal ones the same stream. */
    let question: unknown
    const streams = toStore(() => {
      question = ask(read(), readOptions(), true)
      return ask(read(), readOptions())
    })
    return createSnapshot(host, streams, () =>
      ask(read(), readOptions(), true) === question ? undefined : ask(read(), readOptions()),
    )
  })
}
