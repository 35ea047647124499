import type { Client } from '@headwater/core'
import { useContext } from 'react'

import { clientContext } from './clientContext.ts'

/**
 * The client of the nearest {@link HeadwaterProvider}.
 *
 * @param client - Given, it is returned instead, and no provider is needed.
 * @returns The client.
 * @throws Error when there is neither a client nor a provider above.
 *
 * @example
 * ```tsx
 * import { getBalances } from '@headwater/core'
 * import { useClient } from '@headwater/react'
 *
 * function Download({ address }: { address: string }) {
 *   const client = useClient()
 *   return <button onClick={() => getBalances(client, { address }).then(save)}>Download</button>
 * }
 * ```
 */
export function useClient(client?: Client): Client {
  const provided = useContext(clientContext)
  const found = client ?? provided
  if (found) return found
  throw new Error(
    'No Headwater client found. Put <HeadwaterProvider client={client}> around this component, or pass `client` in the options.',
  )
}
