import type { Client } from '@headwater/core'
import { useMemo } from 'react'

import type { ClientOption } from './ClientOption.ts'
import { isSame } from './isSame.ts'
import { useProvidedClient } from './useProvidedClient.ts'

/** The stream that one of the core's `watch…` functions makes of a hook's arguments. */
export function useStream<Parameters extends object, Options extends object, Stream>(
  watch: (client: Client, parameters: Parameters, options: Options) => Stream,
  parameters: Parameters,
  { client, ...options }: Options & ClientOption,
): Stream {
  const find = useMemo(() => createFinder(watch), [watch])
  // What is left of them when the client is out.
  return find(useProvidedClient(client), parameters, options as unknown as Options)
}

/** Asks for a stream only with other arguments: a component renders again and again with equal ones. */
function createFinder<Parameters extends object, Options extends object, Stream>(
  watch: (client: Client, parameters: Parameters, options: Options) => Stream,
) {
  let asked: readonly [Client, Parameters, Options] | undefined
  let stream: Stream
  return (client: Client, parameters: Parameters, options: Options): Stream => {
    if (asked?.[0] !== client || !isSame(asked[1], parameters) || !isSame(asked[2], options)) {
      stream = watch(client, parameters, options)
      asked = [client, parameters, options]
    }
    return stream
  }
}
