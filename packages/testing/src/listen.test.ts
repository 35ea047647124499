import { afterAll, afterEach, beforeAll, expect, it, onTestFinished } from 'vitest'
import { createClient, getBalances, HttpError, NetworkError } from '@headwater/core'
import { createFakeService } from './createFakeService.ts'
import { type FakeServer, listen } from './listen.ts'

const service = createFakeService()
let server: FakeServer
beforeAll(async () => {
  server = await listen(service)
})
afterEach(() => service.reset())
afterAll(() => server.close())

const get = (path = '', signal?: AbortSignal) => {
  const client = createClient({ baseUrl: server.url + path, apiKey: service.key })
  const { address } = service.wallet('everyday')
  return getBalances(client, { address, metadata: ['logo'] }, signal ? { signal } : {})
}

it('responds over HTTP, with valid links', async () => {
  const { balances } = await get()
  const [logo] = balances.flatMap(({ token_metadata }) => token_metadata?.logo ?? [])
  expect(logo?.startsWith(`${server.url}/beta/`)).toBe(true)
  const image = await fetch(String(logo))
  expect(image.headers.get('content-type')).toBe('image/svg+xml')
  expect(service.requests[0]).toMatchObject({ operation: 'balances', status: 200, units: 3 })
})

it('serves its own URL, without the path of the service', async () => {
  const below = await listen(createFakeService({ url: 'https://headwater.test/data' }))
  onTestFinished(() => below.close())
  expect((await fetch(`${below.url}/health`)).status).toBe(200)
  await expect(get('/v1')).rejects.toMatchObject({ status: 404, code: 'NOT_FOUND' })
})

it('fails by faults', async () => {
  service.fail({ status: 429, retryAfter: 1, times: 1 })
  await expect(get()).rejects.toBeInstanceOf(HttpError)
  service.fail({ kind: 'network', times: 1 })
  await expect(get()).rejects.toBeInstanceOf(NetworkError)
  service.fail({ kind: 'cut', times: 1 })
  await expect(get()).rejects.toBeInstanceOf(NetworkError)
  await expect(get()).resolves.toBeDefined()
})

it('closes while a response is held', async () => {
  const other = await listen(service)
  service.fail({ kind: 'hold' })
  const { address } = service.wallet('empty')
  const headers = { 'X-Service-Api-Key': service.key }
  const held = fetch(`${other.url}/v1/evm/balances/${address}`, { headers })
  const rejected = expect(held).rejects.toThrow(TypeError)
  await expect.poll(() => service.requests.length).toBe(1)
  await other.close()
  await rejected
})

it('rejects for a port in use', async () => {
  const port = Number(new URL(server.url).port)
  await expect(listen(service, { port })).rejects.toMatchObject({ code: 'EADDRINUSE' })
})
