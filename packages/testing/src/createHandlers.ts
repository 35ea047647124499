import { http, HttpResponse, type RequestHandler } from 'msw'
import type { ServedInit } from './createFakeService.ts'
import type { FakeService } from './FakeService.ts'
import { NetworkFailure } from './http/deliver.ts'

/**
 * Options of {@link createHandlers}.
 *
 * @example
 * import { createFakeService } from '@headwater/testing'
 * import { createHandlers, type HandlersOptions } from '@headwater/testing/msw'
 * const options: HandlersOptions = { baseUrl: 'https://data.example.org' }
 * createHandlers(createFakeService(), options)
 */
export interface HandlersOptions {
  /** The `baseUrl` of the client whose requests are handled. Default: `service.url`. */
  readonly baseUrl?: string | undefined
}

/**
 * Creates handlers for Mock Service Worker that respond with a fake service, in Node and in browsers.
 *
 * @param service - The service, including its faults, requests and units.
 * @param options - The base URL of the client.
 * @returns Handlers for `setupServer` and `setupWorker`.
 * @example
 * import { createFakeService } from '@headwater/testing'
 * import { createHandlers } from '@headwater/testing/msw'
 * import { setupServer } from 'msw/node'
 *
 * const service = createFakeService()
 * const server = setupServer(...createHandlers(service))
 * server.listen()
 */
export function createHandlers(
  service: Pick<FakeService, 'url' | 'fetch'>,
  { baseUrl = service.url }: HandlersOptions = {},
): RequestHandler[] {
  const init: ServedInit = { baseUrl }
  return [
    http.all(`${baseUrl.replace(/\/+$/, '')}/*`, async ({ request }) => {
      try {
        return await service.fetch(request, init)
      } catch (error) {
        // MSW would report that of an aborted request.
        if (error instanceof NetworkFailure || request.signal.aborted) {
          return HttpResponse.error()
        }
        throw error
      }
    }),
  ]
}
