import { type MaybeRefOrGetter, toValue } from 'vue'
import type { Client, Snapshot, SnapshotStream } from '@headwater/core'
import type { ClientOption } from './ClientOption.ts'
import { type ReactiveParameters, readParameters } from './ReactiveParameters.ts'
import type { SnapshotRef } from './SnapshotRef.ts'
import { useClientOf } from './useClientOf.ts'
import { useSnapshot } from './useSnapshot.ts'

/** The newest snapshot of the stream that one of the core's `watch…` functions makes of a composable's arguments. */
export function useStream<
  Parameters extends object,
  Options extends { readonly enabled?: boolean },
  Shown extends Pick<Snapshot<unknown>, 'status'>,
>(
  watch: (
    client: Client,
    parameters: Parameters,
    options: Options,
  ) => SnapshotStream<unknown, Shown>,
  parameters: ReactiveParameters<NoInfer<Parameters>>,
  options: MaybeRefOrGetter<Options & ClientOption>,
): SnapshotRef<Shown> {
  const clientOf = useClientOf(options)
  return useSnapshot(
    () => {
      const { client, ...own } = toValue(options)
      // What is left of them when the client is out.
      const watchOptions = own as unknown as Options
      return watch(clientOf({ client }), readParameters<Parameters>(parameters), watchOptions)
    },
    () => toValue(options).enabled !== false,
  )
}
