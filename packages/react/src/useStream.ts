import type { Client } from '@headwater/core'
import type { ClientOption } from './ClientOption.ts'
import { useProvidedClient } from './useProvidedClient.ts'

/** The stream that one of the core's `watch…` functions makes of a hook's arguments. */
export function useStream<Parameters, Options extends object, Stream>(
  watch: (client: Client, parameters: Parameters, options: Options) => Stream,
  parameters: Parameters,
  { client, ...options }: Options & ClientOption,
): Stream {
  // What is left of them when the client is out.
  return watch(useProvidedClient(client), parameters, options as unknown as Options)
}
