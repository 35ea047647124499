import type { Warning } from '@headwater/contract'
import type { Client } from '../client/Client.ts'
import type { ClientOperation } from '../operation/ClientOperation.ts'
import { createQueryOptions } from '../operation/createQueryOptions.ts'
import { getOperation, type GetOptions } from '../operation/getOperation.ts'
import type { Notes } from './addNotes.ts'

/** A page of a listing, under the same names for all operations. */
export interface Page<Item> extends Notes {
  readonly items: readonly Item[]
  /** Where the listing goes on; undefined at its end. */
  readonly cursor: string | undefined
  readonly responseTime: string | undefined
}

/** Reads an answer as a page. */
export function toPage<Parameters extends object, Response extends object, Item>(
  { declaration: { list } }: ClientOperation<Parameters, Response, Item>,
  response: Response,
): Page<Item> {
  const answer = response as Record<string, unknown>
  return {
    items: answer[list?.items ?? ''] as Item[],
    cursor: (answer.next_offset as string | null) || undefined,
    warnings: (answer.warnings as Warning[] | undefined) ?? [],
    errors: answer.errors as object | undefined,
    responseTime: answer.response_time as string | undefined,
  }
}

/** Options of one request for a page. */
type PageOptions = GetOptions & { readonly signal: AbortSignal }

/** Asks for one page, with the retries of any query. */
export type PageReader<Item> = (cursor: string, options: PageOptions) => Promise<Page<Item>>

/** Makes what asks for the pages of a listing. */
export function createPageReader<Parameters extends object, Response extends object, Item>(
  client: Client,
  operation: ClientOperation<Parameters, Response, Item>,
  parameters: Parameters,
): PageReader<Item> {
  const { retry, retryDelay } = createQueryOptions(client, operation, parameters)
  return async (offset, options) => {
    for (let failures = 0; ; failures++) {
      try {
        const asked = { ...parameters, offset }
        return toPage(operation, await getOperation(client, operation, asked, options))
      } catch (error) {
        const { signal } = options
        if (signal.aborted || !retry(failures, error as Error)) throw error
        await pause(retryDelay(failures, error as Error), signal)
      }
    }
  }
}

/** Waits; no longer than until the signal aborts. */
function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, milliseconds)
    signal.addEventListener('abort', end)
  })
}
