import { type Budget, type Client, createClient } from '@headwater/core'
import { describeError, type Problem } from './describeError.ts'

/** A client, or why there can be none. */
export type Connection = { client: Client; problem: null } | { client: null; problem: Problem }

/** Makes a client of what was configured, which may be nothing that a client takes. */
export function openConnection(apiUrl: string, apiKey: string, budget?: Budget): Connection {
  try {
    const client = createClient({ baseUrl: apiUrl, apiKey, ...(budget && { budget }) })
    return { client, problem: null }
  } catch (error) {
    return { client: null, problem: describeError(error) }
  }
}
