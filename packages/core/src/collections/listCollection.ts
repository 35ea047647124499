import { Observable } from 'rxjs'
import type { Client } from '../client/Client.ts'
import { HeadwaterError } from '../errors/HeadwaterError.ts'
import type { ListOperation } from '../operation/ClientOperation.ts'
import { askPage, mostEmptyPages } from './askPage.ts'
import type { ListParameters } from './CollectionOptions.ts'

/**
 * How far to read a listing.
 *
 * @example
 * import type { ListOptions } from '@headwater/core'
 * const options: ListOptions = { maxPages: 10, signal: AbortSignal.timeout(60_000) }
 */
export interface ListOptions {
  /** Most pages to ask for. Default: any number. */
  readonly maxPages?: number
  /** Aborts the request under way and ends the listing with the signal's reason. */
  readonly signal?: AbortSignal
}

/**
 * A listing from its beginning to its end, each item once: an async iterable and an observable of items, and an async
 * iterable of `pages`, the service's answers. Nothing is asked before somebody iterates or subscribes; each who does reads
 * the listing anew. A page is asked for when the consumer is through with the one before, and none after it stopped; who
 * unsubscribes aborts the request under way.
 *
 * @example
 * import { take, toArray } from 'rxjs'
 * import { createClient, listTokenHolders, type Holder, type PagedList } from '@headwater/core'
 * import type { TokenHoldersResponse } from '@headwater/core'
 * const firstThousand = (holders: PagedList<Holder, TokenHoldersResponse>) =>
 *   holders.pipe(take(1000), toArray())
 * const client = createClient({ baseUrl: 'https://example.org', apiKey: 'key' })
 * const usdc = { chainId: 1, address: '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48' }
 * firstThousand(listTokenHolders(client, usdc)).subscribe(console.log)
 */
export interface PagedList<Item, Page> extends Observable<Item>, AsyncIterable<Item> {
  /** The answers of the service, as they are. */
  readonly pages: AsyncIterable<Page>
}

/** An operation that lists as something to go through, in pages as large as can be. */
export function listCollection<Parameters extends object, Response extends object, Item>(
  client: Client,
  operation: ListOperation<Parameters, Response, Item>,
  given: ListParameters<Parameters>,
  { maxPages = Infinity, signal }: ListOptions = {},
): PagedList<Item, Response> {
  const { items: field, identity, limit } = operation.declaration.list

  async function* read(own: AbortController) {
    const seen = new Set<string>()
    const asked = new Set<string>()
    let offset: string | null | undefined
    let empty = 0
    const abort = () => own.abort(signal?.reason)
    if (signal?.aborted) abort()
    signal?.addEventListener('abort', abort)
    try {
      for (let count = 0; count < maxPages && (count === 0 || offset); count++) {
        const parameters = { ...given, limit: limit.maximum, ...(offset && { offset }) }
        const page = await askPage(client, operation, parameters as Parameters, own.signal, true)
        const all = page[field as keyof Response] as readonly Item[]
        const before = seen.size
        const items = all.filter((item) => {
          const { size } = seen
          return seen.add(identity(item)).size > size
        })
        empty = all.length > 0 ? 0 : empty + 1
        const isVain = all.length > 0 ? seen.size === before : empty > mostEmptyPages
        offset = (page as { next_offset?: string | null }).next_offset
        // It would never end.
        const isLooping = offset && (isVain || asked.has(offset))
        if (offset) asked.add(offset)
        yield { page, items }
        if (isLooping) {
          throw new HeadwaterError('The service lists again what it had listed before.', {
            details: `${operation.declaration.name}: page ${count + 1} leads back.`,
          })
        }
      }
    } finally {
      signal?.removeEventListener('abort', abort)
    }
  }

  async function* pages(own: AbortController) {
    for await (const { page } of read(own)) yield page
  }

  async function* items(own: AbortController) {
    for await (const { items } of read(own)) {
      for (const item of items) {
        if (own.signal.aborted) throw own.signal.reason
        yield item
      }
    }
  }

  const observable = new Observable<Item>((subscriber) => {
    const own = new AbortController()
    const push = async () => {
      for await (const item of items(own)) {
        subscriber.next(item)
        if (subscriber.closed) return
      }
      subscriber.complete()
    }
    push().catch((error: unknown) => subscriber.error(error))
    return () => own.abort()
  })
  return Object.assign(observable, {
    pages: { [Symbol.asyncIterator]: () => iterate(pages) },
    [Symbol.asyncIterator]: () => iterate(items),
  })
}

/** An iterator that does not wait for a request under way when it is told to stop, as a generator would. */
function iterate<T>(
  read: (own: AbortController) => AsyncGenerator<T, void>,
): AsyncIterator<T, void> {
  const own = new AbortController()
  const generator = read(own)
  const end = () => ({ done: true, value: undefined }) as const
  let isOver = false
  return {
    next: () =>
      generator.next().catch((error: unknown) => {
        if (isOver) return end()
        throw error
      }),
    async return() {
      isOver = true
      own.abort()
      await generator.return()
      return end()
    },
  }
}
