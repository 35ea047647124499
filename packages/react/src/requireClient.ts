import type { Client } from '@headwater/core'

/** Gives the client back, or says how to provide one. */
export function requireClient(client: Client | null | undefined): Client {
  if (client) return client
  throw new Error(
    'No Headwater client found. Put <HeadwaterProvider client={client}> around this component, or pass `client` in the options.',
  )
}
