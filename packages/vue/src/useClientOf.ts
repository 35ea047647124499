import { type MaybeRefOrGetter, toRaw, toValue } from 'vue'
import type { Client } from '@headwater/core'
import type { ClientOption } from './ClientOption.ts'
import { injectClient } from './injectClient.ts'
import { requireClient } from './requireClient.ts'

/** Finds the client that some options mean: their own, else the one provided. */
export function useClientOf(
  options: MaybeRefOrGetter<ClientOption>,
): (options: ClientOption) => Client {
  const provided = injectClient()
  // A deep ref of options hands out a proxy of the client, which its private fields do not survive.
  const find = ({ client }: ClientOption) => toRaw(requireClient(client ?? toValue(provided)))
  // Now rather than at the first read, so that the error points at who forgot the client.
  find(toValue(options))
  return find
}
