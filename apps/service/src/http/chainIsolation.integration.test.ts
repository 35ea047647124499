// One chain that is not indexed, stopped or stale must not affect requests of the others.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { emptyTables } from '../../test/describeEachStore.ts'
import { oneBalanceChain, wallet } from '../../test/oneBalanceChain.ts'
import { openMemoryStore } from '../../test/openMemoryStore.ts'
import { seedChain, type SeededChain, testAddress } from '../../test/seedChain.ts'
import { startTestService } from '../../test/startTestService.ts'
import { testChainConfig, testTokens } from '../../test/testChainConfig.ts'
import type { Store } from '../store/Store.ts'

const chains = [testChainConfig(7), testChainConfig(8, { tags: ['default', 'even'] })]
const nft = testAddress(0xaf)

let store: Store
beforeAll(async () => {
  store = await openMemoryStore()
})
beforeEach(async () => {
  await emptyTables(store)
  await seed(7)
  await seed(8)
})
afterAll(() => store.close())

/** Chain 7 or 8 with a balance and an NFT of the wallet. */
function seed(chainId: number, overrides: Partial<SeededChain> = {}) {
  const collectibles = [{ contract: nft, tokenId: BigInt(chainId), holder: wallet, lastIn: 5 }]
  const tokens = [...(oneBalanceChain.tokens ?? []), { address: nft, standard: 721 as const }]
  return seedChain(store.db, { ...oneBalanceChain, chainId, tokens, collectibles, ...overrides })
}

interface Body {
  readonly balances?: { chain_id: number }[]
  readonly entries?: { chain_id: number }[]
  readonly errors?: object
  readonly warnings?: object[]
  readonly code?: string
  readonly next_offset?: string
}

/** Sends a request; returns what depends on the chains. */
async function send(service: { fetch: (path: string) => Promise<Response> }, path: string) {
  const { status, headers, ...response } = await service.fetch(path).then(async (each) => ({
    status: each.status,
    headers: each.headers,
    body: (await each.json()) as Body,
  }))
  const { balances, entries, errors, warnings, code } = response.body
  return {
    status,
    chains: (balances ?? entries)?.map(({ chain_id }) => chain_id),
    units: headers.get('x-compute-units-cost'),
    blocks: headers.get('x-block-numbers'),
    ...(errors && { errors }),
    ...(warnings && { warnings }),
    ...(code !== undefined && { code, retryAfter: headers.get('retry-after') }),
  }
}

const listings = [
  `/v1/evm/balances/${wallet}?filters=erc20`,
  `/v1/evm/collectibles/${wallet}?limit=9`,
]
const { usd } = testTokens
const singles = (chainId: number) => [
  `/v1/evm/token-info/${usd}?chain_ids=${chainId}&limit=0`,
  `/v1/evm/token-holders/${chainId}/${usd}`,
  `/v1/evm/balances/${wallet}/token/${usd}?chain_ids=${chainId}`,
]

const faults = [
  [
    'CHAIN_NOT_READY',
    'Chain 8 (chain 8) is unavailable: its initial indexing is not complete',
    () => seed(8, { synced: false }),
  ],
  [
    'CHAIN_STOPPED',
    'Chain 8 (chain 8) is unavailable: it is stopped until its operator acts',
    () => store.db.insertInto('indexers').values({ chain_id: 8, stopped_reason: 'x' }).execute(),
  ],
  [
    'CHAIN_STALE',
    'Chain 8 (chain 8) is unavailable: no node has confirmed its head for too long',
    () => seed(8, { unconfirmedSeconds: 1201 }),
  ],
] as const

describe.each(faults)('a chain with %s', (code, description, apply) => {
  it('is an error and a warning of listings with other chains, and costs nothing', async () => {
    const service = await startTestService(store, chains, { key: { unitsQuota: 100 } })
    for (const path of listings) {
      const healthy = { status: 200, chains: [7, 8], units: '2', blocks: '7=5,8=5' }
      expect(await send(service, path)).toEqual(healthy)
    }
    await apply()
    for (const path of listings) {
      const expected = {
        status: 200,
        chains: [7],
        units: '1',
        blocks: '7=5',
        errors: {
          error_message: 'Some chains are missing',
          chain_errors: [{ chain_id: 8, code, description }],
        },
        warnings: [{ chain_id: 8, code, message: description }],
      }
      // The second response is cached.
      expect([await send(service, path), await send(service, path)]).toEqual([expected, expected])
      expect(await send(service, `${path}&chain_ids=7`)).toEqual({
        status: 200,
        chains: [7],
        units: '1',
        blocks: '7=5',
      })
    }
    expect(
      (await service.fetch(`${listings[0]}&x=1`)).headers.get('x-compute-units-remaining'),
    ).toBe(String(100 - 2 * 2 - 2 * 3 - 1))
    // It returns with the next response.
    await store.db.deleteFrom('indexers').execute()
    await seed(8)
    expect(await send(service, String(listings[0]))).toMatchObject({ chains: [7, 8], units: '2' })
  })

  it('rejects the requests that have no other chain', async () => {
    await apply()
    const service = await startTestService(store, chains, { key: { unitsQuota: 100 } })
    for (const path of [...listings.map((each) => `${each}&chain_ids=even`), ...singles(8)]) {
      const rejected = await send(service, path)
      const retryAfter = expect.stringMatching(/^\d+$/) as string
      expect({ path, ...rejected }).toMatchObject({
        path,
        status: 503,
        code,
        units: '0',
        retryAfter,
      })
    }
    for (const path of singles(7)) {
      expect({ path, ...(await send(service, path)) }).toMatchObject({ path, status: 200 })
    }
  })

  it('does not affect /ready, unless it is requested there', async () => {
    await apply()
    const { url } = await startTestService(store, chains)
    const read = async (query = '') => {
      const response = await fetch(`${url}/ready${query}`)
      const { ready, chains } = (await response.json()) as {
        ready: boolean
        chains: { chain_id: number; available: boolean }[]
      }
      const available = chains?.map((chain) => [chain.chain_id, chain.available])
      return [response.status, ready, available]
    }
    expect(await read()).toEqual([
      ...[200, true],
      [
        [7, true],
        [8, false],
      ],
    ])
    expect(await read('?chain_ids=7')).toEqual([200, true, [[7, true]]])
    expect(await read('?chain_ids=even')).toEqual([503, false, [[8, false]]])
    expect((await read('?chain_ids=7,8'))[0]).toBe(503)
    expect((await read('?chain_ids=9'))[0]).toBe(404)
    expect((await read('?chain_ids=odd'))[0]).toBe(400)
  })
})

it('is not ready while no chain is available', async () => {
  await seed(7, { synced: false })
  await seed(8, { unconfirmedSeconds: 1201 })
  const service = await startTestService(store, chains)
  const response = await fetch(`${service.url}/ready`)
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5'])
  expect(await send(service, String(listings[0]))).toMatchObject({
    status: 503,
    code: 'CHAIN_NOT_READY',
    retryAfter: '10',
  })
})

it('warns of a stale chain in all operations, in /ready and in /metrics', async () => {
  const service = await startTestService(store, chains)
  for (const path of [...listings, ...singles(8)]) {
    expect(await send(service, path)).not.toHaveProperty('warnings')
  }
  const before = await service.fetch(String(listings[0]))
  await seed(8, { unconfirmedSeconds: 121 })
  const warning = {
    code: 'STALE_CHAIN',
    message: 'Chain 8 (chain 8) may be outdated: no node has confirmed its head recently',
    chain_id: 8,
    block_number: 5,
    block_time: '2023-11-14T22:13:25Z',
  }
  for (const path of [...listings, ...singles(8)]) {
    const { status, warnings, errors } = await send(service, path)
    expect({ path, status, warnings, errors }).toEqual({ path, status: 200, warnings: [warning] })
  }
  // A response without the warning is not current.
  const headers = { 'If-None-Match': String(before.headers.get('etag')) }
  expect((await service.fetch(String(listings[0]), { headers })).status).toBe(200)
  const { chains: listed } = (await (await fetch(`${service.url}/ready`)).json()) as Body & {
    chains: object[]
  }
  expect(listed).toMatchObject([
    { chain_id: 7, available: true, stale: false },
    {
      chain_id: 8,
      available: true,
      stale: true,
      unconfirmed_seconds: expect.any(Number) as number,
    },
  ])
  const metrics = await (await fetch(`${service.url}/metrics`)).text()
  expect(metrics).toContain('headwater_chain_stale{chain="8"} 1')
  expect(metrics).toContain('headwater_chain_available{chain="8"} 1')
  expect(metrics).toMatch(/headwater_chain_unconfirmed_seconds\{chain="8"\} 12\d/)
})

it('continues a listing while one of its chains is unavailable', async () => {
  const service = await startTestService(store, chains)
  const path = `/v1/evm/balances/${wallet}?filters=erc20&limit=1`
  const first = (await (await service.fetch(path)).json()) as Body
  expect(first.balances).toMatchObject([{ chain_id: 7 }])
  await seed(7, { synced: false })
  const second = await send(service, `${path}&offset=${first.next_offset}`)
  expect(second).toMatchObject({ status: 200, chains: [8] })
})
