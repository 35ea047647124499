import { describe, expect, it, vi } from 'vitest'
import { sharedServer } from '../../test/sharedServer.ts'
import { respondWith, startServer } from '../../test/startServer.ts'
import { createTransport } from './createTransport.ts'

const { server } = await sharedServer(respondWith({ good: true }))
const get = (options: object = {}, signal?: AbortSignal) =>
  createTransport({ baseUrl: server.baseUrl, ...options }).get('/v1?a=1', signal)
const failure = async (options?: object, signal?: AbortSignal) =>
  get(options, signal).then(
    () => undefined,
    (error: unknown) => error,
  )

describe('a request', () => {
  it('is sent to the base URL and resolves to the parsed body', async () => {
    expect(await get()).toMatchObject({ url: `${server.baseUrl}/v1?a=1`, body: { good: true } })
    expect(server.requests[0]?.url).toBe('/v1?a=1')
  })

  it('sends the API key in the default header, in a configured one, or not at all', async () => {
    await get({ apiKey: 'secret' })
    await get({ apiKey: 'secret', apiKeyHeader: 'Authorization' })
    await get()
    const headers = server.requests.map((request) => request.headers)
    expect(headers[0]?.['x-service-api-key']).toBe('secret')
    expect(headers[1]?.authorization).toBe('secret')
    expect(headers[1]?.['x-service-api-key']).toBeUndefined()
    expect(headers[2]?.['x-service-api-key']).toBeUndefined()
  })

  it('does not follow a redirect with an API key', async () => {
    const other = await startServer(respondWith({ good: true }))
    const location = `${other.baseUrl}/v1?a=1`
    server.use(respondWith('', { status: 302, headers: { location } }))
    expect(await failure({ apiKey: 'secret' })).toMatchObject({
      name: 'InvalidResponseError',
      details: expect.stringContaining('a redirect') as string,
      advice: expect.stringContaining('baseUrl') as string,
      isRetryable: false,
    })
    expect(other.requests).toHaveLength(0)
    expect(await get()).toMatchObject({ body: { good: true } })
    await other.close()
  })

  it('with an API key fails on the opaque redirect of a browser', async () => {
    const redirects: unknown[] = []
    const fetch = (_: unknown, init?: RequestInit) => {
      redirects.push(init?.redirect)
      const response = Response.error()
      Object.defineProperty(response, 'type', { value: 'opaqueredirect' })
      return Promise.resolve(response)
    }
    expect(await failure({ apiKey: 'secret', fetch })).toMatchObject({
      name: 'InvalidResponseError',
    })
    expect(redirects).toEqual(['manual'])
  })

  it('is not sent after destroy', async () => {
    const transport = createTransport({ baseUrl: server.baseUrl })
    transport.destroy()
    await expect(transport.get('/v1', undefined)).rejects.toMatchObject({
      shortMessage: 'The client was destroyed.',
    })
    expect(server.requests).toHaveLength(0)
  })

  it('uses the configured fetch', async () => {
    const fetch = () => Promise.resolve(new Response('{"own":1}'))
    expect((await get({ fetch })).body).toEqual({ own: 1 })
    expect(server.requests).toHaveLength(0)
  })
})

describe('an error response', () => {
  it.each([
    [{ error: 'No', message: 'No', code: 'BAD', param: 'chain_ids', request_id: 'r1' }, 'BAD'],
    [{ error: 'No' }, undefined],
    [{ message: 'No' }, undefined],
    [{ error: { message: 'No', code: 'BAD' } }, 'BAD'],
    ['No', undefined],
  ])('is parsed from %j', async (body, code) => {
    server.use(respondWith(body, { status: 400 }))
    expect(await failure()).toMatchObject({
      name: 'HttpError',
      shortMessage: 'No',
      status: 400,
      code,
      isRetryable: false,
    })
  })

  it('contains the parameter in camelCase and the request id', async () => {
    const body = { error: 'No', param: 'historical_prices', request_id: 'r1' }
    server.use(respondWith(body, { status: 400 }))
    expect(await failure()).toMatchObject({ parameter: 'historicalPrices', requestId: 'r1' })
    server.use(respondWith('No', { status: 400, headers: { 'x-request-id': 'r2' } }))
    expect(await failure()).toMatchObject({ requestId: 'r2' })
  })

  it.each([401, 402, 403, 404])('with status %i is not retryable', async (status) => {
    server.use(respondWith({ error: 'No' }, { status }))
    expect(await failure()).toMatchObject({ status, isRetryable: false })
  })

  it.each([429, 500, 502, 503])('with status %i is retryable', async (status) => {
    server.use(respondWith({ error: 'No' }, { status }))
    expect(await failure()).toMatchObject({ status, isRetryable: true })
  })

  it('with an HTML body has a message without markup', async () => {
    server.use(respondWith('<html>Bad gateway</html>', { status: 502 }))
    expect(await failure()).toMatchObject({
      shortMessage: 'The service responded with status 502.',
    })
  })

  it.each(['<html>No such page</html>', { error: 'No such path', code: 'NOT_FOUND' }, ''])(
    'of a URL that serves nothing names `baseUrl`: %j',
    async (body) => {
      server.use(respondWith(body, { status: 404 }))
      const { message } = (await failure()) as Error
      expect(message).toMatch(/GET http.*: 404[^]+`baseUrl` to `createClient`/)
    },
  )

  it('contains the delay of Retry-After in seconds, or as a date relative to the clock of the service', async () => {
    server.use(respondWith('', { status: 429, headers: { 'retry-after': '7' } }))
    expect(await failure()).toMatchObject({ retryAfter: 7000 })
    const headers = {
      date: 'Wed, 21 Oct 2015 07:28:00 GMT',
      'retry-after': 'Wed, 21 Oct 2015 07:28:30 GMT',
    }
    server.use(respondWith('', { status: 429, headers }))
    expect(await failure()).toMatchObject({ retryAfter: 30_000 })
  })
})

describe('a response without a valid body', () => {
  it('is an InvalidResponseError for HTML with status 200', async () => {
    server.use(respondWith('<!doctype html>', { headers: { 'content-type': 'text/html' } }))
    expect(await failure()).toMatchObject({ name: 'InvalidResponseError', isRetryable: false })
  })

  it('is a NetworkError for a truncated body', async () => {
    server.use((_, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('{"good":')
      setImmediate(() => response.destroy())
    })
    expect(await failure()).toMatchObject({ name: 'NetworkError', isRetryable: true })
  })

  it('is a NetworkError when the connection is refused', async () => {
    const closed = await startServer(respondWith({}))
    await closed.close()
    expect(await failure({ baseUrl: closed.baseUrl })).toMatchObject({ name: 'NetworkError' })
  })

  it('is a TimeoutError when headers or body do not arrive', async () => {
    server.use(() => undefined)
    expect(await failure({ timeout: 20 })).toMatchObject({ name: 'TimeoutError', timeout: 20 })
    server.use((_, response) => void response.writeHead(200).write('{'))
    expect(await failure({ timeout: 20 })).toMatchObject({
      name: 'TimeoutError',
      isRetryable: true,
    })
  })
})

describe('a timeout', () => {
  it.each([Infinity, 2 ** 31])('of %d ms does not fire immediately', async (timeout) => {
    server.use((request, response) => {
      setTimeout(() => respondWith({ good: true })(request, response), 20)
    })
    expect(await get({ timeout })).toMatchObject({ body: { good: true } })
  })
})

describe('an aborted request', () => {
  it('rejects with the reason of the signal, and is not sent if it was aborted before', async () => {
    const reason = new Error('left the page')
    expect(await failure({}, AbortSignal.abort(reason))).toBe(reason)
    expect(server.requests).toHaveLength(0)
  })

  it('rejects with the reason of the signal in flight', async () => {
    const controller = new AbortController()
    const reason = new Error('left the page')
    server.use(() => controller.abort(reason))
    expect(await failure({}, controller.signal)).toBe(reason)
  })

  it('rejects even if fetch ignores the signal, like one that timed out', async () => {
    const fetch = () => new Promise<Response>(() => undefined)
    expect(await failure({ fetch, timeout: 20 })).toMatchObject({ name: 'TimeoutError' })
    const controller = new AbortController()
    const reason = new Error('left the page')
    setTimeout(() => controller.abort(reason), 20)
    expect(await failure({ fetch }, controller.signal)).toBe(reason)
  })

  it('times out with an AbortController that has no reason, as that of React Native', async () => {
    class Controller extends AbortController {
      override abort() {
        super.abort()
        Object.defineProperty(this.signal, 'reason', { value: undefined })
      }
    }
    vi.stubGlobal('AbortController', Controller)
    const fetch = () => new Promise<Response>(() => undefined)
    expect(await failure({ fetch, timeout: 20 })).toMatchObject({ name: 'TimeoutError' })
    vi.unstubAllGlobals()
  })

  it('differs from a defect in a custom fetch, which rejects with its error', async () => {
    const error = new ReferenceError('Response is not defined')
    expect(await failure({ fetch: () => Promise.reject(error) })).toBe(error)
  })

  it('differs from a runtime without fetch', async () => {
    vi.stubGlobal('fetch', undefined)
    expect(await failure()).toMatchObject({ name: 'InvalidParameterError', parameter: 'fetch' })
    vi.unstubAllGlobals()
  })

  it('differs from a fetch that throws synchronously, which is a NetworkError', async () => {
    const fetch = () => {
      throw new TypeError('no fetch here')
    }
    expect(await failure({ fetch })).toMatchObject({ name: 'NetworkError' })
  })
})
