import type { Client } from '@headwater/core'
import { type ClientOption, useResolvedClient } from './client.tsx'

/** The stream that a `watch…` function of core creates from the arguments of a hook. */
export function useStream<Parameters, Options, Stream>(
  watch: (client: Client, parameters: Parameters, options: Options) => Stream,
  parameters: Parameters,
  options: Options & ClientOption,
): Stream {
  return watch(useResolvedClient(options), parameters, options)
}
