import { expect, it } from 'vitest'
import { createProxy } from '../createProxy.ts'

const url = 'https://app.example.org/v1/evm/balances/0xd8da6bf26964af9d7eed9e03e53415d37aa96045'

/** A proxy whose upstream is controlled by the test. */
function setUp(coalesce?: boolean) {
  const upstream: {
    readonly signal: AbortSignal
    readonly respond: (body: BodyInit) => void
    readonly reject: (error: Error) => void
  }[] = []
  const proxy = createProxy({
    baseUrl: 'http://headwater.internal',
    apiKey: 'key',
    operations: ['balances'],
    ...(coalesce !== undefined && { coalesce }),
    fetch: (_, init) =>
      new Promise((resolve, reject) => {
        const signal = init!.signal!
        signal.addEventListener('abort', () => reject(signal.reason as Error))
        const headers = { 'content-type': 'application/json', 'x-compute-units-cost': '3' }
        upstream.push({
          signal,
          respond: (body) => resolve(new Response(body, { headers })),
          reject,
        })
      }),
    onError: () => undefined,
  })
  const visit = (query = '', headers: Record<string, string> = {}) => {
    const controller = new AbortController()
    const init = {
      headers: { 'sec-fetch-site': 'same-origin', ...headers },
      signal: controller.signal,
    }
    const response = proxy(new Request(url + query, init))
    return { response, abort: () => controller.abort() }
  }
  return { upstream, visit }
}

/** A body of two parts, the second of which is sent by the test. */
function createBody() {
  let writer!: ReadableStreamDefaultController<Uint8Array>
  let isCancelled = false
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      writer = controller
      controller.enqueue(new TextEncoder().encode('{"balances":'))
    },
    cancel: () => {
      isCancelled = true
    },
  })
  const finish = () => {
    writer.enqueue(new TextEncoder().encode('[]}'))
    writer.close()
  }
  return { body, finish, isCancelled: () => isCancelled }
}

/** Lets requests reach the upstream. */
const settle = () => new Promise((resolve) => setTimeout(resolve, 0))

it('sends identical concurrent requests once, of which one is charged', async () => {
  const { upstream, visit } = setUp()
  const visits = [visit(), visit('?utm=1'), visit()]
  await settle()
  expect(upstream.length).toBe(1)
  upstream[0]!.respond('{"balances":[]}')
  const responses = await Promise.all(visits.map(({ response }) => response))
  const texts = await Promise.all(responses.map((response) => response.text()))
  expect(texts).toEqual(Array(3).fill('{"balances":[]}'))
  const costs = responses.map(({ headers }) => headers.get('x-compute-units-cost'))
  expect(costs.sort()).toEqual(['0', '0', '3'])
})

it('sends different, conditional and later requests by themselves', async () => {
  const { upstream, visit } = setUp()
  const first = visit()
  void visit('?limit=1').response
  void visit('', { 'if-none-match': '"tag"' }).response
  await settle()
  expect(upstream.length).toBe(3)
  upstream[0]!.respond('{}')
  await first.response
  void visit().response
  await settle()
  expect(upstream.length).toBe(4)
})

it('sends each request by itself if it is switched off', async () => {
  const { upstream, visit } = setUp(false)
  void visit().response
  void visit().response
  await settle()
  expect(upstream.length).toBe(2)
})

it('aborts the request when the last visitor has aborted', async () => {
  const { upstream, visit } = setUp()
  const first = visit()
  const second = visit()
  await settle()
  first.abort()
  expect((await first.response).status).toBe(499)
  expect(upstream[0]!.signal.aborted).toBe(false)
  second.abort()
  expect((await second.response).status).toBe(499)
  expect(upstream[0]!.signal.aborted).toBe(true)
  // It is not joined any more.
  void visit().response
  await settle()
  expect(upstream.length).toBe(2)
})

it('responds to the visitors that remain', async () => {
  const { upstream, visit } = setUp()
  const first = visit()
  const second = visit()
  await settle()
  first.abort()
  upstream[0]!.respond('{}')
  const response = await second.response
  expect(response.headers.get('x-compute-units-cost')).toBe('3')
  expect(await response.text()).toBe('{}')
})

it('streams a body to each visitor, and aborts it when the last visitor has aborted', async () => {
  const { upstream, visit } = setUp()
  const visits = [visit(), visit()]
  await settle()
  const { body, finish } = createBody()
  upstream[0]!.respond(body)
  const responses = await Promise.all(visits.map(({ response }) => response))
  const readers = responses.map((response) => response.body!.getReader())
  for (const reader of readers) {
    const { value } = await reader.read()
    expect(new TextDecoder().decode(value)).toBe('{"balances":')
  }
  visits[0]!.abort()
  expect(upstream[0]!.signal.aborted).toBe(false)
  finish()
  const { value } = await readers[1]!.read()
  expect(new TextDecoder().decode(value)).toBe('[]}')
  visits[1]!.abort()
  expect(upstream[0]!.signal.aborted).toBe(true)
})

it('cancels a body when all visitors have cancelled theirs', async () => {
  const { upstream, visit } = setUp()
  const visits = [visit(), visit()]
  await settle()
  const { body, isCancelled } = createBody()
  upstream[0]!.respond(body)
  const [first, second] = await Promise.all(visits.map(({ response }) => response))
  const cancelled = first!.body!.cancel()
  await settle()
  expect(isCancelled()).toBe(false)
  await second!.body!.cancel()
  await cancelled
  expect(isCancelled()).toBe(true)
})

it('fails for all visitors when the service fails', async () => {
  const { upstream, visit } = setUp()
  const visits = [visit(), visit()]
  await settle()
  upstream[0]!.reject(new TypeError('fetch failed'))
  const statuses = visits.map(async ({ response }) => (await response).status)
  expect(await Promise.all(statuses)).toEqual([502, 502])
})
