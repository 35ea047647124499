import type { Client } from '@headwater/core'

/** Gives the client back, or says how to provide one. */
export function requireClient(client: Client | undefined): Client {
  if (client) {
    return client
  }
  throw new Error(
    'No Headwater client found. Call app.use(headwaterPlugin(client)), or pass `client` in the options.',
  )
}
