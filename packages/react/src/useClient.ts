import type { Client } from '@headwater/core'
import { useProvidedClient } from './useProvidedClient.ts'

/**
 * The client of the nearest {@link HeadwaterProvider}.
 *
 * @returns The client.
 * @throws {Error} when there is no provider above.
 *
 * @example
 * ```tsx
 * import { getBalances } from '@headwater/core'
 * import { useClient } from '@headwater/react'
 *
 * function Count({ address }: { address: string }) {
 *   const client = useClient()
 *   const count = async () => alert((await getBalances(client, { address })).balances.length)
 *   return <button onClick={count}>How many tokens?</button>
 * }
 * ```
 */
export function useClient(): Client {
  return useProvidedClient()
}
