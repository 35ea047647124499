import { type MaybeRefOrGetter, toValue } from 'vue'
import type { Client, Snapshot, SnapshotStream } from '@headwater/core'
import { type ClientOption, useClientOf } from './client.ts'
import { type SnapshotRef, useSnapshot } from './useSnapshot.ts'

/**
 * Parameters of a composable: a value, a ref or a getter. Each parameter may be a ref or a getter, too.
 *
 * @example
 * ```ts
 * import type { TokenInfoParameters } from '@headwater/core'
 * import { useTokenInfo, type ReactiveParameters } from '@headwater/vue'
 * import { ref } from 'vue'
 *
 * const address = ref('0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48')
 * const parameters: ReactiveParameters<TokenInfoParameters> = { address, chainIds: () => [1] }
 * const info = useTokenInfo(parameters)
 * ```
 */
export type ReactiveParameters<Parameters> = MaybeRefOrGetter<{
  [Name in keyof Parameters]: MaybeRefOrGetter<Parameters[Name]>
}>

/** Reads the current parameters. */
function readParameters<Parameters>(parameters: ReactiveParameters<Parameters>): Parameters {
  const value: unknown = toValue(parameters)
  // `skipToken`, or what core rejects.
  if (typeof value !== 'object' || value === null) {
    return value as Parameters
  }
  const read: object = Array.isArray(value)
    ? value.map((each) => toValue<unknown>(each))
    : Object.fromEntries(Object.entries(value).map(([name, each]) => [name, toValue(each)]))
  return read as Parameters
}

/** The latest snapshot of the stream that a `watch…` function of core creates from the arguments of a composable. */
export function useStream<Parameters, Options, TSnapshot extends Pick<Snapshot<unknown>, 'status'>>(
  watch: (
    client: Client,
    parameters: Parameters,
    options: Options,
  ) => SnapshotStream<unknown, TSnapshot>,
  parameters: ReactiveParameters<NoInfer<Parameters>>,
  options: MaybeRefOrGetter<Options & ClientOption>,
): SnapshotRef<TSnapshot> {
  const client = useClientOf(options)
  return useSnapshot(() => {
    const own: Options | null = toValue(options)
    // A copy, so that all of them are dependencies. Core rejects null.
    return watch(client.value, readParameters<Parameters>(parameters), own && { ...own })
  })
}
