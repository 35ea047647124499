import { type OperationName, operations } from '@headwater/contract'
import { createProxy } from '../src/createProxy.ts'

/** What the tests configure, as text: the bindings of a worker. */
export interface TestProxyOptions {
  readonly baseUrl: string
  readonly apiKey: string
  readonly timeout?: string
}

export const basePath = '/api/headwater'

/** The proxy of the integration tests: two requests a minute for visitors that send `X-Session`. */
export function createTestProxy({ baseUrl, apiKey, timeout }: TestProxyOptions) {
  return createProxy({
    baseUrl,
    apiKey,
    basePath,
    operations: Object.keys(operations) as OperationName[],
    rateLimit: {
      requests: 2,
      seconds: 60,
      visitor: ({ headers }) => headers.get('x-session') ?? crypto.randomUUID(),
    },
    ...(timeout !== undefined && { timeout: Number(timeout) }),
    onError: () => undefined,
  })
}
