import { untrack } from 'svelte'
import { derived, type Readable } from 'svelte/store'
import type { Client, SnapshotStream } from '@headwater/core'
import {
  type ClientOption,
  createClientResolver,
  type ReactiveOptions,
  toGetter,
} from './client.ts'
import { createSnapshot, type SnapshotStore } from './createSnapshot.ts'
import { toCurrentStore } from './toCurrentStore.ts'

/**
 * Parameters of a store: a value, a getter (its `$state` is tracked) or a store.
 *
 * @example
 * ```ts
 * import type { TokenInfoParameters } from '@headwater/core'
 * import { createTokenInfo, type ReactiveParameters } from '@headwater/svelte'
 * import { writable } from 'svelte/store'
 *
 * const address = '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48'
 * const parameters: ReactiveParameters<TokenInfoParameters> = writable({ address, chainIds: [1] })
 * const info = createTokenInfo(parameters)
 * ```
 */
export type ReactiveParameters<Parameters> = Parameters | (() => Parameters) | Readable<Parameters>

/** A store of the stream that a `watch…` function of core creates from the arguments of a `create…` function. */
export function createStream<Parameters, Options extends object, TSnapshot>(
  watch: (
    client: Client,
    parameters: Parameters,
    options: Options,
  ) => SnapshotStream<unknown, TSnapshot>,
  parameters: ReactiveParameters<NoInfer<Parameters>>,
  options: ReactiveOptions<NoInfer<Options>>,
): SnapshotStore<TSnapshot> {
  const resolveClient = createClientResolver()
  const readOptions = toGetter(options)
  /** A copy, so that all options are tracked where it is read. Core rejects null. */
  const copyOptions = () => {
    const own = readOptions()
    return (own as unknown) === null ? own : { ...own }
  }
  const createStreamOf = (current: Parameters, own: Options & ClientOption) =>
    watch(resolveClient(own), current, own)
  /** The stream without options: the same object as long as the client and the parameters are equal. */
  const readIdentity = (current: Parameters) =>
    watch(resolveClient(readOptions()), current, {} as Options)

  // Untracked, as it may be called in an effect.
  return untrack(() => {
    // Another client does not change whether this is a server.
    const host = resolveClient(readOptions())
    if (isStore(parameters)) {
      const streams = derived([parameters, toCurrentStore(copyOptions)], (both) =>
        createStreamOf(...both),
      )
      return createSnapshot(host, streams)
    }
    const read =
      typeof parameters === 'function' ? (parameters as () => Parameters) : () => parameters
    let identity: unknown
    const streams = toCurrentStore(() => {
      identity = readIdentity(read())
      return createStreamOf(read(), copyOptions())
    })
    return createSnapshot(host, streams, () =>
      readIdentity(read()) === identity ? undefined : createStreamOf(read(), copyOptions()),
    )
  })
}

/** Parameters may also be a symbol, `skipToken`. */
function isStore<Parameters>(
  parameters: ReactiveParameters<Parameters>,
): parameters is Readable<Parameters> {
  return typeof parameters === 'object' && parameters !== null && 'subscribe' in parameters
}
