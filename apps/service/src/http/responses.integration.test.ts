import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest'
import { API_KEY_HEADER } from '@headwater/contract'
import { createTestDatabase } from '../../test/createTestDatabase.ts'
import { createTestMedia } from '../../test/createTestMedia.ts'
import { emptyTables } from '../../test/describeEachStore.ts'
import { balancePath as path, oneBalanceChain, wallet } from '../../test/oneBalanceChain.ts'
import { openMemoryStore } from '../../test/openMemoryStore.ts'
import { seedChain } from '../../test/seedChain.ts'
import { startCuttingProxy } from '../../test/startCuttingProxy.ts'
import { startTestService } from '../../test/startTestService.ts'
import { testChainConfig, testTokens } from '../../test/testChainConfig.ts'
import { createKey } from '../keys/createKey.ts'
import { ChainWatches } from '../store/ChainWatches.ts'
import { openPostgres } from '../store/openPostgres.ts'
import { openStore } from '../store/openStore.ts'
import type { Store } from '../store/Store.ts'
import { Stores } from '../store/Stores.ts'
import { Metrics } from './Metrics.ts'
import { startHttpServer } from './startHttpServer.ts'

const chains = [testChainConfig(7, { tags: ['default', 'odd'] }), testChainConfig(8, { tags: [] })]
let store: Store
beforeAll(async () => {
  store = await openMemoryStore()
})
beforeEach(async () => {
  await emptyTables(store)
  await seedChain(store.db, oneBalanceChain)
})
afterAll(() => store.close())

/** Starts the server on a store, without a key and without refreshing the states of chains. */
async function startServer(
  on: Store,
  options: Partial<Parameters<typeof startHttpServer>[0]> = {},
): Promise<string> {
  const logger = pino({ level: 'silent' })
  const stores = new Stores(on)
  const watch = new ChainWatches(stores, logger)
  onTestFinished(() => watch.close())
  const { url, close } = await startHttpServer({
    config: { chains: [testChainConfig(7)], defaultRate: { requests: 1000, seconds: 1 } },
    media: createTestMedia([testChainConfig(7)]),
    nodes: new Map(),
    metrics: new Metrics({ process: false }),
    logger,
    stores,
    watch,
    host: '127.0.0.1',
    port: 0,
    ...options,
  })
  onTestFinished(close)
  return url
}

it('sends id, cost, limits, blocks and entity tag in headers that browsers may read', async () => {
  const { fetch, url } = await startTestService(store, chains, { key: { unitsQuota: 10 } })
  const { headers } = await fetch(path)
  expect(headers.get('x-public-url')).toBe(url)
  expect(headers.get('x-request-id')).toMatch(/^[\w-]{36}$/)
  expect(headers.get('x-compute-units-cost')).toBe('1')
  expect(headers.get('x-block-numbers')).toBe('7=5')
  expect(headers.get('etag')).toMatch(/^W\/"[\w-]+"$/)
  expect(headers.get('content-type')).toBe('application/json')
  expect(headers.get('access-control-allow-origin')).toBe('*')
  const own = [...headers.keys()].filter((name) => name.startsWith('x-') || name === 'etag')
  expect(own.sort()).toEqual([
    'etag',
    'x-block-numbers',
    'x-changes-path',
    'x-compute-units-cost',
    'x-compute-units-remaining',
    'x-public-url',
    'x-ratelimit-limit',
    'x-ratelimit-remaining',
    'x-ratelimit-reset',
    'x-request-id',
  ])
  const exposed = headers.get('access-control-expose-headers')?.toLowerCase().split(',')
  expect(exposed).toEqual(expect.arrayContaining([...own, 'retry-after']))
})

it('responds with 304 to a valid key, for the same units, until the content changes', async () => {
  const { fetch, url } = await startTestService(store, chains)
  const etag = (await fetch(path)).headers.get('etag') ?? ''
  for (const known of [etag, `"x", ${etag}`, etag.slice(2), '*']) {
    const again = await fetch(path, { headers: { 'If-None-Match': known } })
    expect(again.status).toBe(304)
    expect(await again.text()).toBe('')
    expect(again.headers.get('etag')).toBe(etag)
    expect(again.headers.get('x-compute-units-cost')).toBe('1')
    expect(again.headers.get('x-block-numbers')).toBe('7=5')
  }
  const withoutKey = await globalThis.fetch(url + path, { headers: { 'If-None-Match': etag } })
  expect(withoutKey.status).toBe(401)
  await seedChain(store.db, {
    ...oneBalanceChain,
    balances: [{ holder: wallet, token: testTokens.usd, amount: 6n }],
    blocks: { ...oneBalanceChain.blocks, 6: 1_700_000_006 },
  })
  const changed = await fetch(path, { headers: { 'If-None-Match': etag } })
  expect(changed.status).toBe(200)
  expect(changed.headers.get('etag')).not.toBe(etag)
  expect(changed.headers.get('x-block-numbers')).toBe('7=6')
})

it('responds to HEAD as to GET, without the body', async () => {
  const { fetch } = await startTestService(store, chains)
  const get = await fetch(path)
  const head = await fetch(path, { method: 'HEAD' })
  expect(head.status).toBe(200)
  expect(await head.text()).toBe('')
  for (const name of ['etag', 'x-compute-units-cost', 'x-block-numbers', 'content-type']) {
    expect(head.headers.get(name)).toBe(get.headers.get(name))
  }
  expect((await fetch(`${path}&limit=0`, { method: 'HEAD' })).status).toBe(400)
})

it('charges the specified units, and ignores unknown parameters and repeated chains', async () => {
  const { fetch } = await startTestService(store, chains)
  const unknown = 'colour=red&colour=blue&address=0x1&chainIds=ethereum'
  for (const [request, cost] of [
    [`${path}&${unknown}`, '1'],
    [`/v1/evm/token-info/${testTokens.usd}?chain_ids=7,7`, '2'],
    [`/v1/evm/balances/${wallet}/token/${testTokens.usd}?chain_ids=7`, '1'],
    [`/v1/evm/token-holders/7/${testTokens.usd}`, '2'],
  ] as const) {
    const { status, headers } = await fetch(request)
    expect({ request, status, cost: headers.get('x-compute-units-cost') }).toEqual({
      request,
      status: 200,
      cost,
    })
  }
})

it('reports metrics of requests, units, chains, audits and nodes', async () => {
  const { db } = store
  await db
    .insertInto('indexers')
    .values({ chain_id: 7, head_block: 9, blocks_per_second: 0.5, seconds_left: 8 })
    .execute()
  const audit = { chain_id: 7, checked: 40, mismatched: 1, seen_block: 5 }
  await db.insertInto('audits').values(audit).execute()
  const chain = testChainConfig(7, { rpcUrls: ['http://127.0.0.1:9/secret-key'] })
  const service = await startTestService(store, [chain])
  await service.fetch(`/v1/evm/collectibles/${wallet}`)
  await service.fetch(`/v1/evm/collectibles/${wallet}?limit=0`)
  await service.fetch(`/v1/evm/balances/${wallet}`)
  const response = await fetch(`${service.url}/metrics`)
  expect(response.headers.get('content-type')).toContain('text/plain')
  const text = await response.text()
  expect(text.split('\n')).toEqual(
    expect.arrayContaining([
      'headwater_request_seconds_count{operation="collectibles",status="200"} 1',
      'headwater_request_seconds_count{operation="collectibles",status="400"} 1',
      'headwater_compute_units_total{operation="collectibles"} 1',
      'headwater_chain_indexed_block{chain="7"} 5',
      'headwater_chain_lag_blocks{chain="7"} 4',
      'headwater_chain_blocks_per_second{chain="7"} 0.5',
      'headwater_chain_seconds_left{chain="7"} 8',
      'headwater_chain_synced{chain="7"} 1',
      'headwater_chain_stopped{chain="7"} 0',
      'headwater_audit_checked_total{chain="7"} 40',
      'headwater_audit_mismatched_total{chain="7"} 1',
      'headwater_audit_tokens_read_from_chain{chain="7"} 0',
      'headwater_store_up 1',
    ]),
  )
  expect(text).toMatch(/headwater_node_failures_total\{chain="7",node="127.0.0.1:9"\} [1-9]/)
  const labels = 'chain="7",node="127.0.0.1:9",kind="logs_bloom"'
  expect(text).toContain(`headwater_node_violations_total{${labels}} 0`)
  expect(text).not.toMatch(/^headwater_replica_up /m)
  expect(text).not.toContain('secret-key')
  expect(text).toMatch(/^headwater_audit_tokens\{chain="7"\} \d+$/m)
  const unaudited = await startTestService(store, [{ ...chain, audit: { callsPerMinute: 0 } }])
  expect(await (await fetch(`${unaudited.url}/metrics`)).text()).not.toMatch(
    /^headwater_audit_(tokens|holders)\{/m,
  )
})

it('responds with 503 while PostgreSQL is unavailable', async () => {
  const { url: databaseUrl, drop } = await createTestDatabase()
  const dropped = await openStore({ databaseUrl })
  onTestFinished(() => dropped.close())
  const service = await startTestService(dropped, [testChainConfig(7)])
  await drop()
  const unreachable = openPostgres('postgres://unknown@127.0.0.1:1/none')
  onTestFinished(() => unreachable.close())
  for (const url of [service.url, await startServer(unreachable)]) {
    for (const route of [path, '/ready']) {
      const headers = { [API_KEY_HEADER]: service.secret }
      const response = await fetch(url + route, { headers })
      expect(response.status).toBe(503)
      expect(response.headers.get('retry-after')).toMatch(/^\d+$/)
      expect(await response.json()).toMatchObject({ code: 'STORE_UNAVAILABLE' })
    }
    // Operators need the cause, which names no host.
    expect(await (await fetch(`${url}/ready`)).json()).toMatchObject({
      message: expect.stringMatching(
        /^The database is unavailable \((3D000|ECONNREFUSED)\): (create it|check its URL)/,
      ) as string,
    })
    expect((await fetch(`${url}/health`)).status).toBe(200)
    expect(await (await fetch(`${url}/metrics`)).text()).toContain('headwater_store_up 0\n')
  }
})

it('responds to /ready and /metrics while PostgreSQL does not', async () => {
  const { url: databaseUrl } = await createTestDatabase()
  const proxy = await startCuttingProxy(databaseUrl)
  onTestFinished(() => proxy.close())
  const frozen = await openStore({ databaseUrl: proxy.url })
  onTestFinished(() => frozen.close())
  const service = await startTestService(frozen, [testChainConfig(7)])
  onTestFinished(() => proxy.setSilent(false))
  proxy.setSilent(true)
  const paths = ['/ready', '/metrics']
  const [ready, metrics] = await Promise.all(paths.map((each) => fetch(service.url + each)))
  expect(ready?.status).toBe(503)
  expect(await ready?.json()).toMatchObject({ code: 'STORE_UNAVAILABLE' })
  expect(await metrics?.text()).toContain('headwater_store_up 0\n')
})

it('responds with 503 SERVICE_BUSY when too many requests wait for the store', async () => {
  const { secret } = await createKey(store.db, { name: 'busy' })
  const url = await startServer(store, { readLimits: { permits: 1, maxWaiting: 1 } })
  // Without audits, the store would be read for all of them together.
  const responses = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      fetch(`${url}${path}&metadata=audit&limit=${index + 1}`, {
        headers: { [API_KEY_HEADER]: secret },
      }),
    ),
  )
  const rejected = responses.filter(({ status }) => status !== 200)
  expect(responses.length - rejected.length).toBeGreaterThanOrEqual(2)
  expect(rejected.length).toBeGreaterThan(0)
  for (const response of rejected) {
    expect(response.status).toBe(503)
    expect(response.headers.get('retry-after')).toBe('1')
    expect(response.headers.get('x-compute-units-cost')).toBe('0')
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    expect(await response.json()).toMatchObject({
      code: 'SERVICE_BUSY',
      request_id: response.headers.get('x-request-id'),
    })
  }
})

it.each(['192.0.2.1', 'host.invalid'])('reports that it cannot listen on %s', async (host) => {
  await expect(startServer(store, { host })).rejects.toMatchObject({
    name: 'ListenError',
    message: `${host} is not an address of this machine; choose one with --host, such as 0.0.0.0 for all`,
  })
})

it('reports a port that is in use', async () => {
  const port = Number(new URL(await startServer(store)).port)
  await expect(startServer(store, { port })).rejects.toMatchObject({
    name: 'ListenError',
    message: `Port ${port} of 127.0.0.1 is in use; stop the process that uses it, or choose another with --port`,
  })
})
