import { http, HttpResponse, type RequestHandler } from 'msw'
import type { FakeService } from './FakeService.ts'
import { NetworkFailure } from './http/deliver.ts'

/**
 * What {@link createHandlers} takes.
 *
 * @example
 * import { createFakeService } from '@headwater/testing'
 * import { createHandlers, type HandlersOptions } from '@headwater/testing/msw'
 * const options: HandlersOptions = { baseUrl: 'https://data.example.org' }
 * createHandlers(createFakeService(), options)
 */
export interface HandlersOptions {
  /** The `baseUrl` of the client whose requests are to be answered. Default: `service.url`. */
  readonly baseUrl?: string
}

/**
 * Makes handlers for Mock Service Worker that answer from a fake service, in Node and in browsers.
 *
 * @param service - The service, whose faults, requests and units are as ever.
 * @param options - Where the client believes the service to be.
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
  return [
    http.all(`${baseUrl.replace(/\/+$/, '')}/*`, async ({ request }) => {
      try {
        return await service.fetch(request)
      } catch (error) {
        if (error instanceof NetworkFailure) {
          return HttpResponse.error()
        }
        throw error
      }
    }),
  ]
}
