import { type OperationName, operations } from '@headwater/contract'
import { InvalidRequestError } from '@headwater/contract/schemas'
import { allowedMethods, checkOrigin, toPreflightHeaders } from './checkOrigin.ts'
import { encodeBody } from './compression.ts'
import { findTarget, writePath } from './findTarget.ts'
import { ProxyError, toErrorResponse } from './ProxyError.ts'
import { type ProxyOptions, resolveOptions, type Settings } from './ProxyOptions.ts'
import { createMemoryStore } from './rateLimit/createMemoryStore.ts'
import { limitRate } from './rateLimit/limitRate.ts'
import { Coalescer } from './upstream/Coalescer.ts'
import { fetchUpstream, type UpstreamRequest } from './upstream/fetchUpstream.ts'

/** The limit of the service. */
const maxUrlLength = 8192
const maxEntityTagLength = 1024
const maxEventIdLength = 4096

/**
 * The handler that {@link createProxy} returns.
 *
 * @example
 * import { createProxy, type Proxy } from '@headwater/proxy'
 * const proxy: Proxy = createProxy({ baseUrl: undefined, apiKey: undefined, operations: ['balances'] })
 */
export interface Proxy {
  /** Responds to a request of a visitor. Never rejects. */
  (request: Request): Promise<Response>
  /**
   * The `fetch` of clients of the app's own server, whose `baseUrl` is the path of the proxy. Their requests are not sent over
   * HTTP, and are not restricted by `operations`, `authorize`, `origins` and `rateLimit`, as the app itself sends them. Responses
   * are those of visitors, so that pages contain URLs of images at the proxy and none of the service. Needs no `this`.
   */
  readonly fetch: typeof globalThis.fetch
}

/**
 * Creates a fetch handler that forwards permitted requests to the service and adds the API key, so that browsers do not have
 * it. Mount it at `basePath` for GET, HEAD and OPTIONS, and pass that path to clients as `baseUrl`, without a key.
 *
 * Only valid requests of the listed operations reach the service, with a URL written anew from their parameters. The handler
 * never rejects: errors have the format of the service, and do not reveal its URL, the key or the cause.
 *
 * @param options - The service, its key, and what visitors may request.
 * @returns The handler, and `fetch` for clients on the server. Create it once, as it shares requests and counts those of
 *   visitors.
 * @throws {TypeError} when an option is invalid.
 * @example
 * import { createProxy } from '@headwater/proxy'
 *
 * const proxy = createProxy({
 *   baseUrl: 'http://headwater.internal:4000',
 *   apiKey: process.env.HEADWATER_API_KEY,
 *   basePath: '/api/headwater',
 *   operations: ['balances', 'tokenInfo'],
 *   authorize: { balances: ({ chainIds }) => chainIds?.every((id) => id === 1) ?? false },
 * })
 * export default { fetch: (request: Request) => proxy(request) }
 */
export function createProxy(options: ProxyOptions): Proxy {
  const ofVisitors = resolveOptions({ ...options })
  const ofServer: Settings = {
    ...ofVisitors,
    // A framework may remove the mount path, but only from requests of visitors.
    basePath: ofVisitors.basePath || ofVisitors.publicUrl.replace(/^https?:\/\/[^/]*/, ''),
    operations: new Set(Object.keys(operations) as OperationName[]),
    authorize: {},
    origins: '*',
    rateLimit: undefined,
  }
  const store = ofVisitors.rateLimit?.store ?? createMemoryStore()
  const coalescer = new Coalescer()

  const fetch: Proxy['fetch'] = async (input, init) => {
    const isPath = typeof input === 'string' && input.startsWith('/')
    return handle(new Request(isPath ? `http://localhost${input}` : input, init), ofServer)
  }
  return Object.assign((request: Request) => handle(request, ofVisitors), { fetch })

  async function handle(request: Request, settings: Settings): Promise<Response> {
    const givenId = request.headers.get('x-request-id')
    const requestId = givenId && /^[\w\-=]{1,255}$/.test(givenId) ? givenId : crypto.randomUUID()
    /** Those that do not depend on the response of the service. */
    const headers: Record<string, string> = {}
    let response: Response
    try {
      response = await respond(request, settings, requestId, headers)
    } catch (error) {
      if (request.signal.aborted) {
        // Reaches no visitor.
        return new Response(null, { status: 499 })
      }
      const proxyError = toProxyError(error)
      void report(proxyError, request)
      response = toErrorResponse(proxyError, requestId)
    }
    for (const [name, value] of Object.entries(headers)) {
      response.headers[name === 'Vary' ? 'append' : 'set'](name, value)
    }
    return request.method === 'HEAD' ? new Response(null, response) : response
  }

  /** @param headers - receives headers of the response, also before an error is thrown. */
  async function respond(
    request: Request,
    settings: Settings,
    requestId: string,
    headers: Record<string, string>,
  ): Promise<Response> {
    const { method } = request
    const { rateLimit } = settings
    const url = parseRequestUrl(request)
    Object.assign(headers, checkOrigin(request, url, settings.origins))
    const target = findTarget(url, settings)
    if (method === 'OPTIONS') {
      return new Response(null, { status: 204, headers: toPreflightHeaders(request) })
    }
    if (method !== 'GET' && method !== 'HEAD') {
      throw new ProxyError(405, 'METHOD_NOT_ALLOWED', 'Only GET and HEAD are supported', {
        headers: { Allow: allowedMethods },
      })
    }
    if (rateLimit && target.kind !== 'image') {
      Object.assign(headers, await limitRate(rateLimit, store, request))
    }
    return forward(request, settings, {
      kind: target.kind,
      method,
      pathAndQuery: await writePath(target, url, request, settings),
      ifNoneMatch: readHeader(request, 'if-none-match', maxEntityTagLength),
      lastEventId: readHeader(request, 'last-event-id', maxEventIdLength),
      requestId,
    })
  }

  /** Sends a request to the service, or joins an equal one. */
  async function forward(
    request: Request,
    settings: Settings,
    upstream: UpstreamRequest,
  ): Promise<Response> {
    const { kind, method, pathAndQuery, ifNoneMatch } = upstream
    const key =
      settings.coalesce && kind !== 'changes'
        ? JSON.stringify([method, pathAndQuery, ifNoneMatch])
        : undefined
    const { status, body, isEncoded, headers } = await coalescer.fetch(
      key,
      request.signal,
      (controller) =>
        fetchUpstream(settings, upstream, controller, (error) => void report(error, request)),
    )
    const encoded =
      isEncoded && body
        ? encodeBody(body, request.headers.get('accept-encoding'))
        : { body, headers: {} }
    const init = { status, headers: { ...headers, ...encoded.headers } }
    // Workers would encode a body with `Content-Encoding` once more.
    return new Response(encoded.body, Object.assign(init, { encodeBody: 'manual' }))
  }

  /** Reports errors that visitors did not cause. */
  async function report(error: ProxyError, request: Request): Promise<void> {
    if (error.cause !== undefined) {
      try {
        await ofVisitors.onError(error, request)
      } catch (thrown) {
        console.error(thrown)
      }
    }
  }
}

function toProxyError(error: unknown): ProxyError {
  if (error instanceof InvalidRequestError) {
    const { status, code, message, param } = error
    return new ProxyError(status, code, message, { param })
  }
  return error instanceof ProxyError
    ? error
    : new ProxyError(500, 'INTERNAL_ERROR', 'Internal error', { cause: error })
}

function parseRequestUrl({ url }: Request): URL {
  if (url.length > maxUrlLength) {
    throw new ProxyError(414, 'URL_TOO_LONG', 'The URL of the request is too long')
  }
  return new URL(url)
}

/** A header of a visitor; null if it is too long to be one of the service. */
function readHeader({ headers }: Request, name: string, maxLength: number): string | null {
  const value = headers.get(name)
  return value !== null && value.length <= maxLength ? value : null
}
