// What React Native 0.72 to 0.86 has instead of the classes of browsers.
import { AbortController as ReactNativeAbortController } from 'abort-controller'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  type Client,
  createClient,
  firstSettled,
  getBalances,
  paginateBalances,
  waitForChange,
  watchBalances,
} from '../src/index.ts'
import { balancesQueryOptions } from '../src/operations/balances.ts'
import { address, balance, balancesResponse } from './balances.ts'
import { advance } from './clientsInFakeTime.ts'
import { json } from './createFakeService.ts'

/** The `URL` of React Native 0.79: `Libraries/Blob/URL.js`. */
class ReactNativeURL {
  readonly #url: string

  constructor(url: string) {
    this.#url = url.endsWith('/') ? url : `${url}/`
  }

  get href() {
    return this.toString()
  }

  get protocol(): string {
    throw new Error('URL.protocol is not implemented')
  }

  get origin(): string {
    throw new Error('URL.origin is not implemented')
  }

  get pathname(): string {
    throw new Error('URL.pathname not implemented')
  }

  toString() {
    return this.#url
  }
}

let respond: () => Promise<Response>
let client: Client

/** Like `fetch` of React Native, which is a polyfill over XMLHttpRequest: an abort rejects without the reason. */
const fetch = ((_url: string, { signal }: { signal: AbortSignal }) =>
  new Promise((resolve, reject) => {
    const abort = () => {
      reject(Object.assign(new Error('Aborted'), { name: 'AbortError' }))
    }
    if (signal.aborted) {
      abort()
    }
    signal.addEventListener('abort', abort)
    respond().then(resolve, reject)
  })) as typeof globalThis.fetch

const create = (timeout = 20) =>
  createClient({ baseUrl: 'http://127.0.0.1:4000', fetch, ssr: false, timeout })

beforeEach(() => {
  vi.stubGlobal('AbortController', ReactNativeAbortController)
  vi.stubGlobal('URL', ReactNativeURL)
  vi.stubGlobal('DOMException', undefined)
  respond = () => new Promise(() => {})
  client = create()
})

afterEach(() => {
  client.destroy()
  vi.unstubAllGlobals()
})

const aborted = { name: 'AbortError', message: 'The operation was aborted.' }

describe('in React Native', () => {
  it('has an AbortController without reasons', () => {
    const controller = new AbortController()
    controller.abort(new Error('lost'))
    expect(controller.signal.aborted).toBe(true)
    expect(controller.signal.reason).toBeUndefined()
  })

  it('fetches, polls and reads listings', async () => {
    respond = () => Promise.resolve(json(balancesResponse(balance())))
    expect((await getBalances(client, { address })).balances).toHaveLength(1)
    const rows = []
    for await (const row of paginateBalances(client, { address })) {
      rows.push(row)
    }
    expect(rows).toHaveLength(1)
    expect(await firstSettled(watchBalances(client, { address }))).toMatchObject({
      status: 'success',
    })
  })

  it.each([
    ['with a path', 'http://127.0.0.1:4000/data/'],
    ['without one', 'http://127.0.0.1:4000'],
  ])('creates a client for a URL %s', (_, baseUrl) => {
    expect(createClient({ baseUrl }).baseUrl).toBe(baseUrl.replace(/\/$/, ''))
    vi.stubGlobal('URL', undefined)
    expect(createClient({ baseUrl }).baseUrl).toBe(baseUrl.replace(/\/$/, ''))
    expect(() => createClient({ baseUrl: '/data', ssr: false })).toThrow('must be an absolute')
  })

  it('reports a timeout to promises and streams', async () => {
    vi.useFakeTimers()
    const timedOut = { name: 'TimeoutError' }
    const promise = expect(getBalances(client, { address })).rejects.toMatchObject(timedOut)
    const snapshot = firstSettled(watchBalances(client, { address }))
    await advance(20_000)
    await promise
    expect(await snapshot).toMatchObject({ status: 'error', error: timedOut })
    vi.useRealTimers()
  })

  it('rejects aborted requests with an AbortError, whether sent or not', async () => {
    const patient = create(10_000)
    const controller = new AbortController()
    const { signal } = controller
    const query = balancesQueryOptions(patient, { address })
    const sent = [
      getBalances(patient, { address }, { signal }),
      getBalances(patient, { address }, { signal, background: true }),
      waitForChange(patient, query, { signal }),
      paginateBalances(patient, { address }, { signal })[Symbol.asyncIterator]().next(),
    ].map((promise) =>
      promise.then(
        () => undefined,
        (error: unknown) => error,
      ),
    )
    controller.abort()
    expect(await Promise.all(sent)).toMatchObject([aborted, aborted, aborted, aborted])
    await expect(getBalances(patient, { address }, { signal })).rejects.toMatchObject(aborted)
    patient.destroy()
  })

  it('rejects requests in flight and waiting when the client is destroyed', async () => {
    const patient = create(10_000)
    const requests = [
      getBalances(patient, { address }),
      waitForChange(patient, balancesQueryOptions(patient, { address })),
    ]
    const settled = Promise.allSettled(requests)
    patient.destroy()
    expect(await settled).toMatchObject([
      { reason: { name: 'DestroyedError' } },
      { reason: { name: 'DestroyedError' } },
    ])
  })
})
