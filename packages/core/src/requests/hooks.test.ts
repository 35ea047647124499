import { beforeEach, describe, expect, it, vi } from 'vitest'
import { address, balance, balancesResponse } from '../../test/balances.ts'
import { sharedServer } from '../../test/sharedServer.ts'
import { respondWith } from '../../test/startServer.ts'
import { type Client } from '../client/Client.ts'
import {
  type ClientOptions,
  createClient,
  firstSettled,
  getBalances,
  HttpError,
  watchBalances,
} from '../index.ts'

const { server } = await sharedServer(respondWith(balancesResponse(balance())))
const parameters = { address, chainIds: [1] }
const create = (options: Partial<ClientOptions>) =>
  createClient({ baseUrl: server.baseUrl, ...options })
const get = (client: Client, signal?: AbortSignal) =>
  getBalances(client, parameters, signal ? { signal } : {})
/** The error that a request rejects with, and what it cost. */
async function failure(options: Partial<ClientOptions>, signal?: AbortSignal) {
  const client = create(options)
  const error = await get(client, signal).then(
    () => undefined,
    (reason: unknown) => reason,
  )
  return { error, spent: client.getUsage().spent, requests: server.requests.length }
}
const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

describe('headers', () => {
  it('are sent with every request, and replace those of the client in any case', async () => {
    const client = create({ apiKey: 'key', headers: { 'X-App': 'wallet', Accept: 'text/json' } })
    await get(client)
    await get(client)
    const sent = server.requests.map(({ headers }) => headers)
    const expected = { 'x-app': 'wallet', accept: 'text/json', 'x-service-api-key': 'key' }
    expect(sent).toMatchObject([expected, expected])
  })

  it.each([
    ['a function', () => (count: number) => ({ authorization: `Bearer ${count}` })],
    [
      'an async function',
      () => async (count: number) => {
        await wait(5)
        return { authorization: `Bearer ${count}` }
      },
    ],
  ])('are computed for each request by %s', async (_, createHeaders) => {
    let count = 0
    const headers = createHeaders()
    const client = create({ apiKey: 'key', headers: () => headers(++count) })
    await get(client)
    await get(client)
    expect(server.requests.map(({ headers }) => headers)).toMatchObject([
      { authorization: 'Bearer 1', 'x-service-api-key': 'key', accept: 'application/json' },
      { authorization: 'Bearer 2', 'x-service-api-key': 'key' },
    ])
  })

  it('reject the request unchanged if they throw, and cost nothing', async () => {
    const thrown = new TypeError('no session')
    const headers = () => {
      throw thrown
    }
    expect(await failure({ headers })).toEqual({ error: thrown, spent: 0, requests: 0 })
    const rejected = { headers: () => Promise.reject(thrown) }
    expect(await failure(rejected)).toEqual({ error: thrown, spent: 0, requests: 0 })
  })

  it('are not sent with the text "undefined" for a value that is missing', async () => {
    const headers = { authorization: undefined } as never
    expect(await failure({ headers: () => headers })).toMatchObject({
      error: { name: 'InvalidParameterError', parameter: 'headers' },
      requests: 0,
    })
    expect(() => create({ headers })).toThrow('headers')
  })

  it('are validated when they are computed, without exposing them', async () => {
    const { error } = await failure({ headers: () => ({ authorization: 'two\nlines' }) })
    expect(error).toMatchObject({ name: 'InvalidParameterError', parameter: 'headers' })
    expect(String(error)).not.toContain('lines')
  })

  it('are not sent to the target of a redirect', async () => {
    const headers = { location: `${server.baseUrl}/elsewhere` }
    server.use(respondWith('', { status: 307, headers }))
    const { error, requests } = await failure({ headers: { authorization: 'Bearer 1' } })
    expect(error).toMatchObject({ name: 'InvalidResponseError' })
    expect(requests).toBe(1)
  })

  it('that are pending when the request is aborted or times out send and cost nothing', async () => {
    const reason = new Error('left the page')
    const controller = new AbortController()
    const headers = async () => {
      await wait(20)
      controller.abort(reason)
      return {}
    }
    expect(await failure({ headers }, controller.signal)).toEqual({
      error: reason,
      spent: 0,
      requests: 0,
    })
    const late = await failure({ timeout: 5, headers: () => wait(30).then(() => ({})) })
    expect(late).toMatchObject({ error: { name: 'TimeoutError' }, spent: 0 })
    await wait(40)
    expect(server.requests).toHaveLength(0)
  })
})

describe('onRequest', () => {
  it('receives the request, and may replace it', async () => {
    const seen: unknown[] = []
    const client = create({
      apiKey: 'key',
      onRequest(request, init) {
        seen.push(request.url, request.headers.get('x-service-api-key'), init.redirect)
      },
    })
    await get(client)
    const path = `/v1/evm/balances/${address}?chain_ids=1`
    expect(seen).toEqual([server.baseUrl + path, 'key', 'manual'])
    expect(server.requests[0]?.url).toBe(path)

    const replaced = create({
      baseUrl: 'http://127.0.0.1:1',
      onRequest: async (request, init) => {
        await wait(1)
        const url = request.url.replace('http://127.0.0.1:1', server.baseUrl)
        return { ...init, url, headers: { 'x-trace': '7' } }
      },
    })
    await get(replaced)
    expect(server.requests[1]?.headers).toMatchObject({ 'x-trace': '7' })
  })

  it('rejects the request with its error, which costs nothing', async () => {
    const thrown = new Error('not now')
    const onError = vi.fn()
    const onRequest = () => Promise.reject(thrown)
    const outcome = await failure({ onRequest, onError })
    expect(outcome).toEqual({ error: thrown, spent: 0, requests: 0 })
    expect(onError).not.toHaveBeenCalled()
  })
})

describe('onResponse', () => {
  it('receives responses and error responses, and may read their bodies', async () => {
    const seen: unknown[] = []
    const onResponse = async (response: Response) => {
      seen.push(response.status, Object.keys((await response.json()) as object))
    }
    expect((await get(create({ onResponse }))).balances).toHaveLength(1)
    server.use(respondWith({ error: 'down' }, { status: 503 }))
    expect((await failure({ onResponse })).error).toBeInstanceOf(HttpError)
    expect(seen).toEqual([200, ['wallet_address', 'balances'], 503, ['error']])
  })

  it('rejects the request with its error, which was charged', async () => {
    const thrown = new TypeError('unexpected response')
    const onResponse = () => {
      throw thrown
    }
    expect(await failure({ onResponse })).toEqual({ error: thrown, spent: 1, requests: 1 })
  })
})

describe('onError', () => {
  const names: string[] = []
  const onError = ({ name }: { name: string }) => void names.push(name)
  beforeEach(() => {
    names.length = 0
  })

  it('receives the error of each failed attempt', async () => {
    server.use(respondWith({ error: 'No' }, { status: 400 }))
    await failure({ onError })
    server.use(respondWith({ wallet_address: 7 }))
    await failure({ onError })
    server.use((_, response) => void response.destroy())
    await failure({ onError })
    server.use(() => undefined)
    await failure({ onError, timeout: 5 })
    expect(names).toEqual(['HttpError', 'InvalidResponseError', 'NetworkError', 'TimeoutError'])
  })

  it('does not receive that of a request that was aborted, or whose client was destroyed', async () => {
    server.use(() => undefined)
    const client = create({ onError })
    const controller = new AbortController()
    const requests = [get(client, controller.signal), get(client)]
    controller.abort(new Error('left the page'))
    client.destroy()
    const settled = await Promise.allSettled(requests)
    expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(names).toEqual([])
  })

  it('rejects the request with its own error', async () => {
    server.use(respondWith({ error: 'No' }, { status: 400 }))
    const thrown = new Error('reported')
    expect((await failure({ onError: () => Promise.reject(thrown) })).error).toBe(thrown)
  })
})

it('reports the error of a hook in the snapshot of a stream, as the cause', async () => {
  const thrown = new Error('no session')
  const client = create({ ssr: false, headers: () => Promise.reject(thrown) })
  const { status, error } = await firstSettled(watchBalances(client, parameters))
  expect(status).toBe('error')
  expect(error).toMatchObject({ name: 'UnexpectedError', cause: thrown })
  client.destroy()
})

it('sends requests synchronously without hooks, and with headers in an object', () => {
  const fetch = vi.fn(() => new Promise<never>(() => {}))
  const client = create({ fetch, headers: { 'x-app': 'wallet' } })
  void get(client).catch(() => {})
  expect(fetch).toHaveBeenCalledTimes(1)
  client.destroy()
})
