import type { BalancesErrors, ListOperation, Warning } from '@headwater/contract'
import type { Client } from '../client/Client.ts'
import { getAbortReason } from '../environment.ts'
import type { HeadwaterError } from '../errors/HeadwaterError.ts'
import { createQueryOptions } from '../queries/queryOptions.ts'
import { request, type RequestOptions } from '../requests/request.ts'

/** Warnings and errors of a page. */
export interface PageNotices {
  readonly warnings?: readonly Warning[]
  readonly errors?: BalancesErrors | undefined
}

/** A page of any listing, beside its items. */
export interface Page extends PageNotices {
  readonly next_offset?: string | null
  readonly response_time?: string
}

/** A page may be empty without being the last one. After more empty pages in a row the listing is considered endless. */
export const maxEmptyPages = 8

/** Ends a listing that repeats: some services respond to an expired cursor with the first page. */
export const loopNotices: PageNotices = {
  warnings: [
    { code: 'LISTING_LOOPS', message: 'The service repeats pages, so the listing ends here.' },
  ],
}

/** Rows that left their page, and were not found on another one yet. */
export const movedRowsNotices: PageNotices = {
  warnings: [
    { code: 'ROWS_MOVED', message: 'Some rows left their page and are searched on the others.' },
  ],
}

/** Pages that could not be refetched in time. */
export const outdatedNotices: PageNotices = {
  warnings: [{ code: 'OUTDATED_PAGES', message: 'The pages after the first are outdated.' }],
}

/** Warnings and errors of several pages, without duplicate warnings. */
export function mergeNotices(...pages: readonly PageNotices[]): Required<PageNotices> {
  const warnings = pages.flatMap((page) => page.warnings ?? [])
  const errors = pages.flatMap((page) => page.errors ?? [])
  const token_errors = errors.flatMap((each) => each.token_errors ?? [])
  const missing = errors.flatMap((each) => each.chain_errors ?? [])
  const chain_errors = [...new Map(missing.map((each) => [each.chain_id, each])).values()]
  return {
    warnings: [...new Map(warnings.map((each) => [each.message, each])).values()],
    errors:
      errors.length > 1
        ? { ...errors[0], token_errors, ...(chain_errors.length > 0 && { chain_errors }) }
        : errors[0],
  }
}

/**
 * Fetches a page with the retries of a query. Not as a query, as the cache would keep every page.
 */
export async function fetchPage<Parameters extends object, Response extends object, Item>(
  client: Client,
  operation: ListOperation<Parameters, Response, Item>,
  parameters: Parameters,
  options: RequestOptions & { readonly signal: AbortSignal },
): Promise<Response> {
  const { signal } = options
  const { retry, retryDelay } = createQueryOptions(client, operation, parameters)
  for (let failureCount = 0; ; failureCount++) {
    try {
      const page = await request(client, operation, parameters, options)
      if (signal.aborted) {
        throw getAbortReason(signal)
      }
      return page
    } catch (error) {
      if (signal.aborted || !retry(failureCount, error as HeadwaterError)) {
        throw error
      }
      await sleep(retryDelay(failureCount, error as HeadwaterError), signal)
    }
  }
}

/** Resolves after a delay, or when the signal aborts. */
function sleep(delay: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const wake = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', wake)
      resolve()
    }
    const timer = setTimeout(wake, delay)
    signal.addEventListener('abort', wake)
  })
}
