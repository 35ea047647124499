import type { BalancesErrors, ListOperation, Warning } from '@headwater/contract'
import type { Client } from '../client/Client.ts'
import { getAbortReason } from '../environment.ts'
import type { HeadwaterError } from '../errors/HeadwaterError.ts'
import { createQueryOptions } from '../queries/queryOptions.ts'
import { request } from '../requests/request.ts'

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

/** Warnings and errors of several pages, without duplicate warnings. */
export function mergeNotices(a: PageNotices, b: PageNotices): Required<PageNotices> {
  const warnings = [...(a.warnings ?? []), ...(b.warnings ?? [])]
  const token_errors = [a, b].flatMap(({ errors }) => errors?.token_errors ?? [])
  return {
    warnings: [...new Map(warnings.map((each) => [each.message, each])).values()],
    errors:
      a.errors && b.errors ? { ...b.errors, ...a.errors, token_errors } : (a.errors ?? b.errors),
  }
}

/**
 * Fetches a page with the retries of a query. Not as a query, as the cache would keep every page.
 *
 * @param background - Whether the request waits for the budget.
 */
export async function fetchPage<Parameters extends object, Response extends object, Item>(
  client: Client,
  operation: ListOperation<Parameters, Response, Item>,
  parameters: Parameters,
  signal: AbortSignal,
  background: boolean,
): Promise<Response> {
  const { retry, retryDelay } = createQueryOptions(client, operation, parameters)
  for (let failureCount = 0; ; failureCount++) {
    try {
      const page = await request(client, operation, parameters, { signal, background })
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
