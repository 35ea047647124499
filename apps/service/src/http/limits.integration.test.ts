import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { createServer, STATUS_CODES } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { API_KEY_HEADER } from '@headwater/contract'
import { describeEachStore, emptyTables } from '../../test/describeEachStore.ts'
import { balancePath as path, oneBalanceChain, wallet } from '../../test/oneBalanceChain.ts'
import { openMemoryStore } from '../../test/openMemoryStore.ts'
import { seedChain, testAddress } from '../../test/seedChain.ts'
import { startTestService } from '../../test/startTestService.ts'
import { testChainConfig, testTokens } from '../../test/testChainConfig.ts'
import type { NewKey } from '../keys/createKey.ts'
import { loadAllKeys } from '../keys/loadAllKeys.ts'
import { updateKey } from '../keys/updateKey.ts'
import { BatchLanes } from '../queues/BatchLanes.ts'
import type { Store } from '../store/Store.ts'
import { Stores } from '../store/Stores.ts'
import { createReadQueue } from './createReadQueue.ts'
import { createStoreReader } from './createStoreReader.ts'

const chains = [testChainConfig(7), testChainConfig(8, { tags: [] })]

/** Starts a service of two chains with a key. */
async function start(store: Store, key: Partial<NewKey> = {}) {
  for (const chainId of [7, 8]) {
    await seedChain(store.db, { ...oneBalanceChain, chainId })
  }
  const service = await startTestService(store, chains, { key })
  return {
    ...service,
    /** Closes the service, and returns the stored units of the key. */
    async readUsedUnits() {
      await service.close()
      const used = (await loadAllKeys(store.db)).find(({ id }) => id === service.keyId)
      return used?.unitsUsed
    },
  }
}

const units = ({ headers }: Response) =>
  ['cost', 'remaining'].map((name) => headers.get(`x-compute-units-${name}`))

describe('units of a key', () => {
  let store: Store
  beforeAll(async () => {
    store = await openMemoryStore()
  })
  beforeEach(() => emptyTables(store))
  afterAll(() => store.close())

  it('are reported with every response, and charged as reported', async () => {
    const { fetch, readUsedUnits } = await start(store, { unitsQuota: 10 })
    const first = await fetch(path)
    expect(units(first)).toEqual(['1', '9'])
    expect(units(await fetch(`${path}&chain_ids=7,8`))).toEqual(['2', '7'])
    expect(units(await fetch(path, { method: 'HEAD' }))).toEqual(['1', '6'])
    const etag = first.headers.get('etag') ?? ''
    const same = await fetch(path, { headers: { 'If-None-Match': etag } })
    expect(same.status).toBe(304)
    expect(units(same)).toEqual(['1', '5'])
    expect(await readUsedUnits()).toBe(5)
  })

  it('are counted but not reported as remaining without a quota', async () => {
    const { fetch, readUsedUnits } = await start(store)
    expect(units(await fetch(path))).toEqual(['1', null])
    expect(await readUsedUnits()).toBe(1)
  })

  it('are not charged for requests that are rejected, fail or select no served chain', async () => {
    const { fetch, url, readUsedUnits } = await start(store, { unitsQuota: 10 })
    for (const [request, status] of [
      [`${path}&limit=0`, 400],
      [`${path}&chain_ids=ethereum`, 400],
      [`/v1/evm/token-holders/9/${testTokens.usd}`, 404],
      [`${path}&chain_ids=9`, 200],
    ] as const) {
      const response = await fetch(request)
      expect(response.status).toBe(status)
      expect(units(response)).toEqual(['0', '10'])
    }
    await store.db.schema.alterTable('balances').renameTo('elsewhere').execute()
    try {
      const failed = await fetch(path)
      expect(failed.status).toBe(500)
      expect(units(failed)).toEqual(['0', '10'])
    } finally {
      await store.db.schema.alterTable('elsewhere').renameTo('balances').execute()
    }
    await fetch(path, { method: 'POST' })
    await fetch(path, { method: 'OPTIONS' })
    await globalThis.fetch(url + path)
    expect(await readUsedUnits()).toBe(0)
  })

  it('are limited by the quota: 402 until it is raised', async () => {
    const { fetch, keyId, readUsedUnits } = await start(store, { unitsQuota: 3 })
    expect((await fetch(`${path}&chain_ids=7,8`)).status).toBe(200)
    const rejected = await fetch(`${path}&chain_ids=7,8`)
    expect(rejected.status).toBe(402)
    expect(await rejected.json()).toMatchObject({ code: 'UNITS_EXHAUSTED' })
    expect(units(rejected)).toEqual(['0', '1'])
    expect(rejected.headers.get('retry-after')).toBeNull()
    expect(units(await fetch(path))).toEqual(['1', '0'])
    expect((await fetch(path)).status).toBe(402)
    expect((await fetch(`${path}&chain_ids=9`)).status).toBe(200)
    await updateKey(store.db, keyId, { addedUnits: 1 })
    let response: Response
    do {
      response = await fetch(path)
    } while (response.status === 402)
    expect(units(response)).toEqual(['1', '0'])
    expect(await readUsedUnits()).toBe(4)
  })

  it('are limited by the quota for concurrent requests', async () => {
    const { fetch, readUsedUnits } = await start(store, { unitsQuota: 7 })
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, index) => fetch(`${path}&limit=${index + 1}`)),
    )
    const statuses = responses.map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(7)
    expect(statuses.filter((status) => status === 402)).toHaveLength(13)
    expect(await readUsedUnits()).toBe(7)
  })
})

describeEachStore('a client that disconnects', (openTestStore) => {
  /** Starts a service, and locks what each request reads until it is released. */
  const startLocked = async () => {
    const store = await openTestStore()
    const { url, secret, fetch, log, readUsedUnits } = await start(store)
    // Loads the key, and what all requests share.
    await fetch(path.replace(wallet, testAddress(1)))
    const locked = Promise.withResolvers<void>()
    const released = Promise.withResolvers<void>()
    onTestFinished(() => released.resolve())
    const lock = store.db.transaction().execute(async (transaction) => {
      await transaction.selectFrom('chains').select('chain_id').execute()
      if (store.kind === 'postgres') {
        await transaction.schema.alterTable('chains').addColumn('held', 'int4').execute()
      }
      locked.resolve()
      await released.promise
      throw new Error('undo')
    })
    await locked.promise
    const headers = { [API_KEY_HEADER]: secret }
    /** The connections of the requests that the service received. */
    const received: Socket[] = []
    const onRequest = (message: unknown) => {
      received.push((message as { socket: Socket }).socket)
    }
    subscribe('http.server.request.start', onRequest)
    onTestFinished(() => void unsubscribe('http.server.request.start', onRequest))
    return {
      log,
      readUsedUnits,
      untilReceived: (count: number) => expect.poll(() => received.length).toBe(count),
      fetch: async (path: string) => (await globalThis.fetch(url + path, { headers })).status,
      /** Sends a request. Resolves when the service received it, to a function that disconnects its client. */
      async send(path: string) {
        const socket = connect(Number(new URL(url).port), '127.0.0.1')
        socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n${API_KEY_HEADER}: ${secret}\r\n\r\n`)
        await once(socket, 'ready')
        const port = socket.localPort
        const find = () => received.find(({ remotePort }) => remotePort === port)
        await expect.poll(find).toBeDefined()
        const connection = find()!
        return async () => {
          socket.destroy()
          await once(connection, 'close')
        }
      },
      async release() {
        released.resolve()
        await expect(lock).rejects.toThrow('undo')
      },
    }
  }

  it('is charged once for what was being read', async () => {
    const { send, log, release, readUsedUnits } = await startLocked()
    const disconnect = await send(path)
    await disconnect()
    await release()
    // The first request is that of `startLocked`.
    await expect.poll(() => log().match(/"path":"\/v1\/evm\/balances/g)).toHaveLength(2)
    expect(await readUsedUnits()).toBe(2)
  })

  it('is charged for what reads the store again', async () => {
    const store = await openTestStore()
    const client = new AbortController()
    const queues = new Map([[store, createReadQueue({ permits: 4, maxWaiting: 4 })]])
    const service = { stores: new Stores(store), watch: {} }
    const batchLanes = new BatchLanes()
    const createReader = ({ signal }: AbortController) =>
      createStoreReader(service as never, queues, [], { keyId: 1, signal, batchLanes })
    const { readStore } = createReader(client)
    await readStore(() => Promise.resolve(client.abort()))
    expect(await readStore(() => Promise.resolve('read'))).toBe('read')

    // The second request is read by the batch of the first one.
    const controllers = [new AbortController(), new AbortController()]
    const readers = controllers.map(createReader)
    await Promise.all(
      readers.map(({ readTogether }, index) =>
        readTogether(String(index), (_snapshot, _chains, items) => {
          controllers.forEach((controller) => controller.abort())
          return Promise.resolve(expect(items).toEqual(['0', '1']))
        }),
      ),
    )
    for (const { readStore } of readers) {
      expect(await readStore(() => Promise.resolve('read'))).toBe('read')
    }
  })

  it('leaves the queue, unless another client waits for the same', async () => {
    const { fetch, send, untilReceived, log, release, readUsedUnits } = await startLocked()
    const holders = (limit: number) => `/v1/evm/token-holders/7/${testTokens.usd}?limit=${limit}`
    // As many of a key read the store at once.
    const reading = Array.from({ length: 24 }, (_, index) => fetch(holders(1 + index)))
    await untilReceived(24)
    const disconnectShared = await send(holders(100))
    const waiting = fetch(holders(100))
    await untilReceived(26)
    const disconnect = await send(holders(101))
    await disconnectShared()
    await disconnect()
    await expect.poll(log).toContain('"status":499,"units":0')
    await release()
    expect(new Set(await Promise.all([...reading, waiting]))).toEqual(new Set([200]))
    await expect.poll(() => log().match(/"status":200,"units":2/g)).toHaveLength(26)
    expect(await readUsedUnits()).toBe(1 + 26 * 2)
    expect(log().match(/"status":499/g)).toHaveLength(1)
  })
})

describe('limits of a request', () => {
  let store: Store
  beforeAll(async () => {
    store = await openMemoryStore()
    for (const chainId of [7, 8]) {
      await seedChain(store.db, { chainId, blocks: { 0: 1_700_000_000 } })
    }
  })
  afterAll(() => store.close())

  it('reject long URLs, long headers and what is not HTTP with the same body', async () => {
    const { fetch, url } = await startTestService(store, chains)
    for (const [status, code, response] of [
      [414, 'URL_TOO_LONG', await fetch(`${path}&offset=${'x'.repeat(9000)}`)],
      [431, 'HEADERS_TOO_LARGE', await fetch(path, { headers: { 'X-Long': 'x'.repeat(20_000) } })],
    ] as const) {
      expect(response.status).toBe(status)
      const { headers } = response
      expect(headers.get('content-type')).toMatch(/^application\/json/)
      expect(headers.get('x-compute-units-cost')).toBe('0')
      expect(headers.get('access-control-allow-origin')).toBe('*')
      const body = (await response.json()) as Record<string, unknown>
      expect(body).toEqual({
        error: expect.stringMatching(/\w/) as string,
        message: body['error'],
        code,
        request_id: headers.get('x-request-id'),
      })
    }
    expect((await fetch(`${path}&offset=${'x'.repeat(7000)}`)).status).toBe(200)

    for (const [status, head] of [
      [400, 'HELLO'],
      [400, 'GET /health\\a HTTP/1.1\r\nHost: x'],
      [400, 'GET http://x:99999/health HTTP/1.1\r\nHost: x'],
      [400, 'OPTIONS * HTTP/1.1\r\nHost: x'],
      [400, 'GET /health HTTP/1.1\r\nHost: a b'],
      [400, 'GET /health HTTP/1.1'],
      [417, 'GET /health HTTP/1.1\r\nHost: x\r\nExpect: 200-ok'],
    ] as const) {
      const socket = connect(Number(new URL(url).port), '127.0.0.1')
      socket.write(`${head}\r\nConnection: close\r\n\r\n`)
      const response = await text(socket)
      expect(response).toMatch(
        new RegExp(
          `^HTTP/1\\.1 ${status} ${STATUS_CODES[status]}\\r\\n(.+\\r\\n)*Content-Type: application/json`,
          'i',
        ),
      )
      const body = JSON.parse(response.slice(response.indexOf('{'))) as { request_id: string }
      expect(body).toMatchObject({
        code: status === 417 ? 'EXPECTATION_FAILED' : 'MALFORMED_REQUEST',
      })
      expect(response.toLowerCase()).toContain(`x-request-id: ${body.request_id}\r\n`)
    }
  })

  it('do not delay requests of one chain while many wait for the silent node of another', async () => {
    const silent = createServer(() => {})
    silent.listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const rpcUrls = [`http://127.0.0.1:${(silent.address() as AddressInfo).port}`]
    const { fetch } = await startTestService(store, [
      testChainConfig(7, { rpcUrls }),
      testChainConfig(8),
    ])
    const waiting = Array.from({ length: 40 }, async (_, index) => {
      const native = `/v1/evm/balances/${testAddress(0x1000 + index)}?chain_ids=7&filters=native`
      return (await fetch(native)).status
    })
    const other = fetch(`${path}&chain_ids=8`).then(({ status }) => status)
    expect(await Promise.race([...waiting, other])).toBe(200)
    expect(new Set(await Promise.all(waiting))).toEqual(new Set([503]))
    silent.closeAllConnections()
    silent.close()
  })
})
