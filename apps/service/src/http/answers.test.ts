import { pino } from 'pino'
import { expect, it, onTestFinished } from 'vitest'
import { API_KEY_HEADER } from '@headwater/contract'
import { createTestDatabase } from '../../test/createTestDatabase.ts'
import { createTestMedia } from '../../test/createTestMedia.ts'
import { describeEachStore } from '../../test/describeEachStore.ts'
import { balancePath as path, oneBalanceChain as seven } from '../../test/oneBalanceChain.ts'
import { openMemoryStore } from '../../test/openMemoryStore.ts'
import { seedChain } from '../../test/seedChain.ts'
import { startTestService } from '../../test/startTestService.ts'
import { testChainConfig } from '../../test/testChainConfig.ts'
import { createKey } from '../keys/createKey.ts'
import { ChainWatch } from '../store/ChainWatch.ts'
import { openPostgres } from '../store/openPostgres.ts'
import { openStore } from '../store/openStore.ts'
import { Metrics } from './Metrics.ts'
import { startHttpServer } from './startHttpServer.ts'

const quiet = {
  config: { chains: [testChainConfig(7)], defaultRate: { requests: 1000, seconds: 1 } },
  media: createTestMedia([testChainConfig(7)]),
  nodes: new Map(),
  stoppedChains: new Set<number>(),
  metrics: new Metrics({ process: false }),
  logger: pino({ level: 'silent' }),
}

describeEachStore('answers', (openTestStore) => {
  const start = async (synced = true) => {
    const store = await openTestStore()
    await seedChain(store.db, { ...seven, synced })
    const chains = [
      testChainConfig(7, { tags: ['default', 'odd'] }),
      testChainConfig(8, { tags: [] }),
    ]
    return { store, ...(await startTestService(store, chains)) }
  }

  it('carries id, cost, block and tag in headers that browsers may read', async () => {
    const { fetch } = await start()
    const { headers } = await fetch(path)
    expect(headers.get('x-request-id')).toMatch(/^[\w-]{36}$/)
    expect(headers.get('x-compute-units-cost')).toBe('1')
    expect(headers.get('x-block-numbers')).toBe('7=5')
    expect(headers.get('etag')).toMatch(/^W\/"[\w-]+"$/)
    expect(headers.get('access-control-allow-origin')).toBe('*')
    const exposed = headers.get('access-control-expose-headers')?.split(',')
    for (const name of [
      'X-Request-Id',
      'X-Compute-Units-Cost',
      'X-Block-Numbers',
      'ETag',
      'Retry-After',
    ]) {
      expect(exposed).toContain(name)
    }
  })

  it('answers 304 for the same units until what it holds changes', async () => {
    const { fetch, store } = await start()
    const first = await fetch(path)
    const etag = first.headers.get('etag') ?? ''
    for (const known of [etag, `"x", ${etag}`, etag.slice(2), '*']) {
      const again = await fetch(path, { headers: { 'If-None-Match': known } })
      expect(again.status).toBe(304)
      expect(await again.text()).toBe('')
      expect(again.headers.get('etag')).toBe(etag)
      expect(again.headers.get('x-compute-units-cost')).toBe('1')
      expect(again.headers.get('x-block-numbers')).toBe('7=5')
    }
    const balances = [{ ...seven.balances[0]!, amount: 6n }]
    await seedChain(store.db, { ...seven, balances, blocks: { ...seven.blocks, 6: 1_700_000_006 } })
    const changed = await fetch(path, { headers: { 'If-None-Match': etag } })
    expect(changed.status).toBe(200)
    expect(changed.headers.get('etag')).not.toBe(etag)
    expect(changed.headers.get('x-block-numbers')).toBe('7=6')
  })

  it('checks the key before it says that nothing changed', async () => {
    const { fetch, url } = await start()
    const etag = (await fetch(path)).headers.get('etag') ?? ''
    const response = await globalThis.fetch(url + path, { headers: { 'If-None-Match': etag } })
    expect(response.status).toBe(401)
  })

  it('lets any page ask with a key', async () => {
    const { url } = await start()
    const preflight = await fetch(url + path, {
      method: 'OPTIONS',
      headers: {
        Origin: 'https://app.example',
        'Access-Control-Request-Method': 'GET',
        'Access-Control-Request-Headers': `${API_KEY_HEADER.toLowerCase()},if-none-match`,
      },
    })
    expect(preflight.status).toBe(204)
    const { headers } = preflight
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(headers.get('access-control-allow-methods')).toBe('GET,HEAD,OPTIONS')
    expect(headers.get('access-control-allow-headers')?.toLowerCase()).toContain(
      'x-service-api-key',
    )
    expect(headers.get('allow')).toBe('GET, HEAD, OPTIONS')
  })

  it('answers HEAD as GET, without the body', async () => {
    const { fetch } = await start()
    const get = await fetch(path)
    const head = await fetch(path, { method: 'HEAD' })
    expect(head.status).toBe(200)
    expect(await head.text()).toBe('')
    for (const name of ['etag', 'x-compute-units-cost', 'x-block-numbers', 'content-type']) {
      expect(head.headers.get(name)).toBe(get.headers.get(name))
    }
    expect((await fetch(`${path}&limit=0`, { method: 'HEAD' })).status).toBe(400)
  })

  it('keeps a well-formed request id of its caller', async () => {
    const { fetch } = await start()
    const given = await fetch(path, { headers: { 'X-Request-Id': 'trace-1' } })
    expect(given.headers.get('x-request-id')).toBe('trace-1')
    const made = await fetch(path, { headers: { 'X-Request-Id': '<script>' } })
    expect(made.headers.get('x-request-id')).not.toContain('<')
  })

  it('lists the supported chains without a key and without units', async () => {
    const { url } = await start()
    const response = await fetch(`${url}/v1/evm/supported-chains`)
    expect(response.headers.get('x-compute-units-cost')).toBe('0')
    const support = {
      balances: { supported: true },
      token_info: { supported: true },
      token_holders: { supported: true },
      collectibles: { supported: true },
    }
    expect(await response.json()).toEqual({
      chains: [
        { name: 'chain 7', chain_id: 7, tags: ['default', 'odd'], ...support },
        { name: 'chain 8', chain_id: 8, tags: [], ...support },
      ],
    })
  })

  it('describes itself, without a key', async () => {
    const { url } = await start()
    const document = (await (await fetch(`${url}/openapi.json`)).json()) as {
      openapi: string
      paths: object
    }
    expect(document.openapi).toMatch(/^3\.1/)
    expect(Object.keys(document.paths)).toContain('/v1/evm/balances/{address}')
    expect((await fetch(`${url}/openapi.json`, { method: 'POST' })).status).toBe(405)
  })

  it('answers nothing of a chain that stopped, and all of the others', async () => {
    const store = await openTestStore()
    await seedChain(store.db, seven)
    await seedChain(store.db, { ...seven, chainId: 8 })
    const stopped = new Set<number>()
    const { fetch } = await startTestService(
      store,
      [testChainConfig(7), testChainConfig(8, { tags: ['even'] })],
      stopped,
    )
    const etag = (await fetch(path)).headers.get('etag') ?? ''
    stopped.add(7)
    for (const query of ['', '&chain_ids=7', '&chain_ids=8,7', '&chain_ids=even,default']) {
      const response = await fetch(path + query, { headers: { 'If-None-Match': etag } })
      expect(response.status).toBe(503)
      expect(response.headers.get('retry-after')).toMatch(/^\d+$/)
      expect(response.headers.get('x-compute-units-cost')).toBe('0')
      expect(await response.json()).toMatchObject({
        code: 'CHAIN_STOPPED',
        message: 'The service cannot answer now for chain 7',
      })
    }
    expect((await fetch(`${path}&chain_ids=even`)).status).toBe(200)
    const ready = await fetch('/ready')
    expect(ready.status).toBe(503)
    expect(await ready.json()).toMatchObject({
      ready: false,
      chains: [
        { chain_id: 7, synced: true, stopped: true },
        { chain_id: 8, synced: true, stopped: false },
      ],
    })
  })

  it('is healthy from the start and ready once every chain is synced', async () => {
    const { url, store } = await start(false)
    expect((await fetch(`${url}/health`)).status).toBe(200)
    const before = await fetch(`${url}/ready`)
    expect(before.status).toBe(503)
    expect(before.headers.get('retry-after')).toMatch(/^\d+$/)
    await seedChain(store.db, seven)
    expect((await fetch(`${url}/ready`)).status).toBe(503)
    await seedChain(store.db, { ...seven, chainId: 8 })
    await store.db.insertInto('indexers').values({ chain_id: 7, head_block: 9 }).execute()
    // The store is asked once a second, however many ask without a key.
    await expect.poll(async () => (await fetch(`${url}/ready`)).status).toBe(200)
    const after = await fetch(`${url}/ready`)
    const indexed = {
      synced: true,
      stopped: false,
      indexed_block: 5,
      indexed_time: '2023-11-14T22:13:25.000Z',
      ...{ blocks_per_second: null, events_per_second: null, seconds_left: null },
    }
    expect(await after.json()).toEqual({
      ready: true,
      chains: [
        { chain_id: 7, name: 'chain 7', ...indexed, head_block: 9, lag_blocks: 4 },
        { chain_id: 8, name: 'chain 8', ...indexed, head_block: null, lag_blocks: null },
      ],
    })
  })
})

it('says that the store is away', async () => {
  const { url, drop } = await createTestDatabase()
  const store = await openStore({ databaseUrl: url })
  const service = await startTestService(store, [testChainConfig(7)])
  await drop()
  await expectAway(service.fetch)
  await store.close()
})

it('says that the store cannot be reached', async () => {
  const store = openPostgres('postgres://nobody@127.0.0.1:1/none')
  const watch = new ChainWatch(store, quiet.logger)
  const options = { ...quiet, store, watch, host: '127.0.0.1', port: 0 }
  const { url, close } = await startHttpServer(options)
  await expectAway((asked) =>
    fetch(url + asked, { headers: { [API_KEY_HEADER]: `hw_${'0'.repeat(43)}` } }),
  )
  await close()
  await watch.close()
  await store.close()
})

async function expectAway(ask: (path: string) => Promise<Response>) {
  for (const asked of [path, '/ready']) {
    const response = await ask(asked)
    expect(response.status).toBe(503)
    expect(response.headers.get('retry-after')).toMatch(/^\d+$/)
    expect(await response.json()).toMatchObject({ code: 'STORE_UNAVAILABLE' })
  }
  expect((await ask('/health')).status).toBe(200)
}

it('answers 503 SERVICE_BUSY, to be asked again in a second, what would wait behind too much', async () => {
  const store = await openMemoryStore()
  await seedChain(store.db, seven)
  const { secret } = await createKey(store.db, { name: 'busy' })
  const watch = new ChainWatch(store, quiet.logger)
  const capacity = { working: 1, waiting: 1 }
  const options = { ...quiet, store, watch, capacity, host: '127.0.0.1', port: 0 }
  const { url, close } = await startHttpServer(options)
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      fetch(`${url}${path}&limit=${index + 1}`, { headers: { [API_KEY_HEADER]: secret } }),
    ),
  )
  const statuses = answers.map(({ status }) => status)
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(2)
  const refused = answers.filter(({ status }) => status !== 200)
  expect(refused.length).toBeGreaterThan(0)
  for (const response of refused) {
    expect(response.status).toBe(503)
    expect(response.headers.get('retry-after')).toBe('1')
    expect(response.headers.get('x-compute-units-cost')).toBe('0')
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    expect(await response.json()).toMatchObject({
      code: 'SERVICE_BUSY',
      request_id: response.headers.get('x-request-id'),
    })
  }
  await close()
  await watch.close()
  await store.close()
})

it('says in a sentence that a port is taken', async () => {
  const store = await openMemoryStore()
  const { url } = await startTestService(store, [])
  const port = Number(new URL(url).port)
  const watch = new ChainWatch(store, quiet.logger)
  onTestFinished(() => watch.close())
  const again = startHttpServer({ ...quiet, store, watch, host: '127.0.0.1', port })
  await expect(again).rejects.toMatchObject({
    name: 'ListenError',
    message: `Port ${port} of 127.0.0.1 is taken; stop what listens there or choose another port`,
  })
  await store.close()
})
