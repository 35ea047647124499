import { describe, expect, it } from 'vitest'
import { sharedServer } from '../../test/sharedServer.ts'
import { answering, startServer } from '../../test/startServer.ts'
import { createTransport } from './createTransport.ts'

const { server } = await sharedServer(answering({ good: true }))
const get = (options: object = {}, signal?: AbortSignal) =>
  createTransport({ baseUrl: server.baseUrl, ...options }).get('/v1?a=1', signal)
const failure = async (options?: object, signal?: AbortSignal) =>
  get(options, signal).then(
    () => undefined,
    (error: unknown) => error,
  )

describe('a request', () => {
  it('goes to the base URL and brings the parsed body', async () => {
    expect(await get()).toEqual({ url: `${server.baseUrl}/v1?a=1`, body: { good: true } })
    expect(server.requests[0]?.url).toBe('/v1?a=1')
  })

  it('carries the key in the usual header, in another one, or not at all', async () => {
    await get({ apiKey: 'secret' })
    await get({ apiKey: 'secret', apiKeyHeader: 'Authorization' })
    await get()
    const headers = server.requests.map((request) => request.headers)
    expect(headers[0]?.['x-service-api-key']).toBe('secret')
    expect(headers[1]?.authorization).toBe('secret')
    expect(headers[1]?.['x-service-api-key']).toBeUndefined()
    expect(headers[2]?.['x-service-api-key']).toBeUndefined()
  })

  it('takes the key to no other address, and says what to do', async () => {
    const other = await startServer(answering({ good: true }))
    const location = `${other.baseUrl}/v1?a=1`
    server.answerWith(answering('', { status: 302, headers: { location } }))
    expect(await failure({ apiKey: 'secret' })).toMatchObject({
      name: 'HeadwaterError',
      shortMessage: 'The service redirects. Requests with a key follow no redirect.',
      advice: expect.stringContaining('baseUrl') as string,
      isRetryable: false,
    })
    expect(other.requests).toHaveLength(0)
    expect(await get()).toMatchObject({ body: { good: true } })
    await other.close()
  })

  it('with a key is not redirected by a browser either, which shows nothing of it', async () => {
    const seen: unknown[] = []
    const fetch = (_: unknown, init?: RequestInit) => {
      seen.push(init?.redirect)
      const response = Response.error()
      Object.defineProperty(response, 'type', { value: 'opaqueredirect' })
      return Promise.resolve(response)
    }
    expect(await failure({ apiKey: 'secret', fetch })).toMatchObject({ name: 'HeadwaterError' })
    expect(seen).toEqual(['manual'])
  })

  it('is not sent after the end', async () => {
    const transport = createTransport({ baseUrl: server.baseUrl })
    transport.destroy()
    await expect(transport.get('/v1', undefined)).rejects.toMatchObject({
      shortMessage: 'The client was destroyed.',
    })
    expect(server.requests).toHaveLength(0)
  })

  it('uses the fetch that it is given', async () => {
    const fetch = () => Promise.resolve(new Response('{"own":1}'))
    expect((await get({ fetch })).body).toEqual({ own: 1 })
    expect(server.requests).toHaveLength(0)
  })
})

describe('a refusal', () => {
  it.each([
    [{ error: 'No', message: 'No', code: 'BAD', param: 'chain_ids', request_id: 'r1' }, 'BAD'],
    [{ error: 'No' }, undefined],
    [{ message: 'No' }, undefined],
    [{ error: { message: 'No', code: 'BAD' } }, 'BAD'],
    ['No', undefined],
  ])('is read from %j', async (body, code) => {
    server.answerWith(answering(body, { status: 400 }))
    expect(await failure()).toMatchObject({
      name: 'HttpError',
      shortMessage: 'No',
      status: 400,
      code,
      isRetryable: false,
    })
  })

  it('names the parameter in camelCase and the request', async () => {
    const body = { error: 'No', param: 'historical_prices', request_id: 'r1' }
    server.answerWith(answering(body, { status: 400 }))
    expect(await failure()).toMatchObject({ parameter: 'historicalPrices', requestId: 'r1' })
    server.answerWith(answering('No', { status: 400, headers: { 'x-request-id': 'r2' } }))
    expect(await failure()).toMatchObject({ requestId: 'r2' })
  })

  it.each([401, 402, 403, 404])('of status %i cannot be retried', async (status) => {
    server.answerWith(answering({ error: 'No' }, { status }))
    expect(await failure()).toMatchObject({ status, isRetryable: false })
  })

  it.each([429, 500, 502, 503])('of status %i can be retried', async (status) => {
    server.answerWith(answering({ error: 'No' }, { status }))
    expect(await failure()).toMatchObject({ status, isRetryable: true })
  })

  it('of HTML does not show its tags', async () => {
    server.answerWith(answering('<html>Bad gateway</html>', { status: 502 }))
    expect(await failure()).toMatchObject({
      shortMessage: 'The service responded with status 502.',
    })
  })

  it('tells how long to wait, from seconds or from a date by the clock of the service', async () => {
    server.answerWith(answering('', { status: 429, headers: { 'retry-after': '7' } }))
    expect(await failure()).toMatchObject({ retryAfter: 7000 })
    const headers = {
      date: 'Wed, 21 Oct 2015 07:28:00 GMT',
      'retry-after': 'Wed, 21 Oct 2015 07:28:30 GMT',
    }
    server.answerWith(answering('', { status: 429, headers }))
    expect(await failure()).toMatchObject({ retryAfter: 30_000 })
  })
})

describe('no answer', () => {
  it('is malformed when it is HTML with status 200', async () => {
    server.answerWith(answering('<!doctype html>', { headers: { 'content-type': 'text/html' } }))
    expect(await failure()).toMatchObject({ name: 'InvalidResponseError', isRetryable: false })
  })

  it('is a network error when the body is cut', async () => {
    server.answerWith((_, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('{"good":')
      setImmediate(() => response.destroy())
    })
    expect(await failure()).toMatchObject({ name: 'NetworkError', isRetryable: true })
  })

  it('is a network error when nobody listens', async () => {
    const closed = await startServer(answering({}))
    await closed.close()
    expect(await failure({ baseUrl: closed.baseUrl })).toMatchObject({ name: 'NetworkError' })
  })

  it('is a time-out when the headers, or the body, do not come', async () => {
    server.answerWith(() => undefined)
    expect(await failure({ timeout: 20 })).toMatchObject({ name: 'TimeoutError', timeout: 20 })
    server.answerWith((_, response) => void response.writeHead(200).write('{'))
    expect(await failure({ timeout: 20 })).toMatchObject({
      name: 'TimeoutError',
      isRetryable: true,
    })
  })
})

describe('a time-out', () => {
  it.each([Infinity, 2 ** 31])('of %d ms does not pass at once', async (timeout) => {
    server.answerWith((request, response) => {
      setTimeout(() => answering({ good: true })(request, response), 20)
    })
    expect(await get({ timeout })).toMatchObject({ body: { good: true } })
  })
})

describe('an abort', () => {
  it('rejects with the reason of the signal, and sends nothing when it came first', async () => {
    const reason = new Error('left the page')
    expect(await failure({}, AbortSignal.abort(reason))).toBe(reason)
    expect(server.requests).toHaveLength(0)
  })

  it('rejects with the reason of the signal while the answer is awaited', async () => {
    const controller = new AbortController()
    const reason = new Error('left the page')
    server.answerWith(() => controller.abort(reason))
    expect(await failure({}, controller.signal)).toBe(reason)
  })

  it('holds for a fetch that knows no signals, and so does a time-out', async () => {
    const fetch = () => new Promise<Response>(() => undefined)
    expect(await failure({ fetch, timeout: 20 })).toMatchObject({ name: 'TimeoutError' })
    const controller = new AbortController()
    const reason = new Error('left the page')
    setTimeout(() => controller.abort(reason), 20)
    expect(await failure({ fetch }, controller.signal)).toBe(reason)
  })

  it('tells of a fetch that throws at once as of a network that is away', async () => {
    const fetch = () => {
      throw new TypeError('no fetch here')
    }
    expect(await failure({ fetch })).toMatchObject({ name: 'NetworkError' })
  })
})
