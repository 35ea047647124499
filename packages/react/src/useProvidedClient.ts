import { useContext } from 'react'
import type { Client } from '@headwater/core'
import { clientContext } from './clientContext.ts'

/** The client that is given, else that of the nearest provider; or says how to provide one. */
export function useProvidedClient(given?: Client): Client {
  const provided = useContext(clientContext)
  const client = given ?? provided
  if (client) {
    return client
  }
  throw new Error(
    'No Headwater client found. Put <HeadwaterProvider client={client}> around this component, or pass `client` in the options.',
  )
}
