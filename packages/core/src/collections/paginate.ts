import { Observable } from 'rxjs'
import type { ListOperation } from '@headwater/contract'
import type { Client } from '../client/Client.ts'
import { requireClient, requireOptions } from '../client/requireClient.ts'
import { getAbortReason } from '../environment.ts'
import { InvalidResponseError } from '../errors/InvalidResponseError.ts'
import { rejectCounts, rejectPaging } from '../requests/parameters.ts'
import type { ListParameters } from './CollectionSnapshot.ts'
import { fetchPage, maxEmptyPages } from './pages.ts'

/**
 * Options of a paginator.
 *
 * @example
 * import type { PaginateOptions } from '@headwater/core'
 * const options: PaginateOptions = { maxPages: 10, signal: AbortSignal.timeout(60_000) }
 */
export interface PaginateOptions {
  /** Maximum number of pages. Default: unlimited. */
  readonly maxPages?: number | undefined
  /** Aborts the request in flight and ends the iteration with the signal's reason. */
  readonly signal?: AbortSignal | undefined
}

/**
 * A listing from its beginning to its end, each item once: an async iterable and an observable of items, and an async
 * iterable of `pages`. Nothing is fetched before the first iteration or subscription, and each one reads the listing anew.
 * A page is fetched when the consumer has consumed the previous one, and none after it stopped; unsubscribing aborts the
 * request in flight.
 *
 * @example
 * import { take, toArray } from 'rxjs'
 * import { createClient, paginateTokenHolders, type Holder, type Paginator } from '@headwater/core'
 * import type { TokenHoldersResponse } from '@headwater/core'
 * const firstThousand = (holders: Paginator<Holder, TokenHoldersResponse>) =>
 *   holders.pipe(take(1000), toArray())
 * const client = createClient({ baseUrl: 'https://example.org', apiKey: 'key' })
 * const usdc = { chainId: 1, address: '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48' }
 * firstThousand(paginateTokenHolders(client, usdc)).subscribe(console.log)
 */
export interface Paginator<Item, Page> extends Observable<Item>, AsyncIterable<Item> {
  /** The responses of the service. */
  readonly pages: AsyncIterable<Page>
}

/** Creates the paginator of an operation, with the largest possible pages. */
export function paginate<Parameters extends object, Response extends object, Item>(
  client: Client,
  operation: ListOperation<Parameters, Response, Item>,
  input: ListParameters<Parameters>,
  options: PaginateOptions = {},
): Paginator<Item, Response> {
  requireClient(client)
  requireOptions(options)
  const { maxPages = Infinity, signal } = options
  const { itemsField, getItemId, pagination } = operation

  async function* read(abortController: AbortController) {
    const invalid = rejectPaging(input) ?? rejectCounts({ maxPages })
    if (invalid) {
      throw invalid
    }
    const seen = new Set<string>()
    const requested = new Set<string>()
    let offset: string | null | undefined
    let emptyPages = 0
    const abort = () => abortController.abort(signal?.reason)
    if (signal?.aborted) {
      abort()
    }
    signal?.addEventListener('abort', abort)
    try {
      for (let count = 0; count < maxPages && (count === 0 || offset); count++) {
        const parameters = { ...input, limit: pagination.limit.maximum, ...(offset && { offset }) }
        const page = await fetchPage(client, operation, parameters as Parameters, {
          signal: abortController.signal,
          background: true,
        })
        const all = page[itemsField as keyof Response] as readonly Item[]
        const sizeBefore = seen.size
        const items = all.filter((item) => {
          const { size } = seen
          return seen.add(getItemId(item)).size > size
        })
        emptyPages = all.length > 0 ? 0 : emptyPages + 1
        const hasNoNewItems = all.length > 0 ? seen.size === sizeBefore : emptyPages > maxEmptyPages
        offset = (page as { next_offset?: string | null }).next_offset
        const isLoop = offset && (hasNoNewItems || requested.has(offset))
        if (offset) {
          requested.add(offset)
        }
        yield { page, items }
        if (isLoop) {
          const details = `page ${count + 1} repeats an earlier cursor or has no new items`
          throw new InvalidResponseError(operation.path, details)
        }
      }
    } finally {
      signal?.removeEventListener('abort', abort)
    }
  }

  async function* readPages(abortController: AbortController) {
    for await (const { page } of read(abortController)) {
      yield page
    }
  }

  async function* readItems(abortController: AbortController) {
    for await (const { items } of read(abortController)) {
      for (const item of items) {
        if (abortController.signal.aborted) {
          throw getAbortReason(abortController.signal)
        }
        yield item
      }
    }
  }

  const observable = new Observable<Item>((subscriber) => {
    const abortController = new AbortController()
    const emitAll = async () => {
      for await (const item of readItems(abortController)) {
        subscriber.next(item)
        if (subscriber.closed) {
          return
        }
      }
      subscriber.complete()
    }
    emitAll().catch((error: unknown) => subscriber.error(error))
    return () => abortController.abort()
  })
  return Object.assign(observable, {
    pages: { [Symbol.asyncIterator]: () => createIterator(readPages) },
    [Symbol.asyncIterator]: () => createIterator(readItems),
  })
}

/** An iterator with a `return` that aborts the request in flight. That of a generator would wait for it. */
function createIterator<T>(
  read: (abortController: AbortController) => AsyncGenerator<T, void>,
): AsyncIterator<T, void> {
  const abortController = new AbortController()
  const generator = read(abortController)
  const done = () => ({ done: true, value: undefined }) as const
  let isReturned = false
  return {
    next: () =>
      generator.next().catch((error: unknown) => {
        if (isReturned) {
          return done()
        }
        throw error
      }),
    async return() {
      isReturned = true
      abortController.abort()
      await generator.return()
      return done()
    },
  }
}
