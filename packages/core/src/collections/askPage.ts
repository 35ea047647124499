import type { Client } from '../client/Client.ts'
import type { ListOperation } from '../operation/ClientOperation.ts'
import { createQueryOptions } from '../operation/createQueryOptions.ts'
import { getOperation } from '../operation/getOperation.ts'

/** A page may be empty and not the last one; that many in a row, and the listing has no end. */
export const mostEmptyPages = 8

/**
 * Asks for a page, with the retries of any query. Not as a query, as the cache would keep every page for a while.
 *
 * @param background - Whether it may wait for units of the budget.
 */
export async function askPage<Parameters extends object, Response extends object, Item>(
  client: Client,
  operation: ListOperation<Parameters, Response, Item>,
  parameters: Parameters,
  signal: AbortSignal,
  background: boolean,
): Promise<Response> {
  const { retry, retryDelay } = createQueryOptions(client, operation, parameters)
  for (let failures = 0; ; failures++) {
    try {
      const page = await getOperation(client, operation, parameters, { signal, background })
      if (signal.aborted) throw signal.reason
      return page
    } catch (error) {
      if (signal.aborted || !retry(failures, error as Error)) throw error
      await new Promise<void>((resolve) => {
        const end = () => {
          clearTimeout(timer)
          signal.removeEventListener('abort', end)
          resolve()
        }
        const timer = setTimeout(end, retryDelay(failures, error as Error))
        signal.addEventListener('abort', end)
      })
    }
  }
}
