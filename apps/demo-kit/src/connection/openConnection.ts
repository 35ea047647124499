import { broadcastClient, type Budget, type Client, createClient, setBudget } from '@headwater/core'
import { describeError, type Problem } from './describeError.ts'

/** A client, or the problem that prevents one. */
export type Connection = { client: Client; problem: null } | { client: null; problem: Problem }

/**
 * Creates a client of the configured URL, which may be invalid. It shares responses and the stream of changes with other tabs.
 */
export function openConnection(apiUrl: string, budget?: Budget): Connection {
  try {
    const client = createClient({ baseUrl: apiUrl })
    broadcastClient(client)
    setBudget(client, budget)
    return { client, problem: null }
  } catch (error) {
    return { client: null, problem: describeError(error) }
  }
}
