import { describe, expect, it, vi } from 'vitest'
import {
  createClient,
  getBalances,
  getTokenInfo,
  paginateBalances,
  paginateCollectibles,
  paginateTokenHolders,
} from '@headwater/core'
import { createFakeService } from './createFakeService.ts'
import { expectUnits } from './expectUnits.ts'

function start(options?: Parameters<typeof createFakeService>[0]) {
  const service = createFakeService(options)
  const client = createClient({ baseUrl: service.url, apiKey: service.key, fetch: service.fetch })
  return { service, client }
}

async function all<Item>(list: AsyncIterable<Item>): Promise<Item[]> {
  const items: Item[] = []
  for await (const item of list) {
    items.push(item)
  }
  return items
}

describe('createFakeService', () => {
  it('responds as in its example', async () => {
    const { service, client } = start()
    const { address } = service.wallet('everyday')
    const { balances } = await getBalances(client, { address, chainIds: [1] })
    expect([balances.length, service.units]).toEqual([5, 1])
  })

  it('rejects the price of a token without decimals, which has none', async () => {
    const { service, client } = start()
    const token = service.token('NODEC')
    expect(() => service.setPrice(token, 5)).toThrow(/^NODEC has no decimals/)
    service.setPrice(token, undefined)
    service.setPrice(service.token('NOPRICE'), 5)
    const { address, chainId } = service.token('NOPRICE')
    const info = await getTokenInfo(client, { address, chainIds: [chainId] })
    expect(info.tokens[0]?.price_usd).toBe(5)
  })

  it('accepts the key in another header', async () => {
    const apiKeyHeader = 'Authorization'
    const service = createFakeService({ apiKeyHeader, changes: true })
    const { url: baseUrl, key: apiKey, fetch } = service
    const address = service.wallet('everyday').address
    const client = createClient({ baseUrl, apiKey, apiKeyHeader, fetch })
    expect((await getBalances(client, { address })).balances).not.toEqual([])
    const other = createClient({ baseUrl, apiKey, fetch })
    await expect(getBalances(other, { address })).rejects.toMatchObject({
      code: 'API_KEY_MISSING',
      shortMessage: expect.stringContaining(apiKeyHeader),
    })
    const changes = `${baseUrl}/v1/evm/changes?wallets=1:${address}`
    expect((await fetch(changes, { method: 'HEAD' })).status).toBe(401)
    const headers = { [apiKeyHeader]: apiKey }
    expect((await fetch(changes, { method: 'HEAD', headers })).status).toBe(200)
  })

  it('rejects an empty key, which no request can send', () => {
    expect(() => createFakeService({ key: '' })).toThrow(/^key must not be empty/)
  })

  it('reports missing globals at once, and what provides them in Jest', () => {
    vi.stubGlobal('Response', undefined)
    vi.stubGlobal('Headers', undefined)
    expect(() => createFakeService()).toThrow(/lacks Headers, Response\. .*jest-fixed-jsdom/)
    vi.unstubAllGlobals()
    expect(createFakeService().units).toBe(0)
  })

  it('charges the units that core counts', async () => {
    const { service, client } = start()
    const { address } = service.wallet('multichain')
    const { balances } = await getBalances(client, { address })
    expect(balances.map(({ chain_id }) => chain_id).sort((a, b) => a - b)).toEqual([
      1, 1, 1, 137, 137, 137, 8453, 8453, 8453,
    ])
    expect(service.units).toBe(3)
    expectUnits(client).toCost(3)
  })

  it('has wallets and tokens with several pages', async () => {
    const { service, client } = start()
    const whale = service.wallet('whale').address
    const balances = await all(paginateBalances(client, { address: whale, chainIds: [1] }))
    expect(balances.length).toBeGreaterThan(1000)
    expect(await all(paginateCollectibles(client, { address: whale }))).toHaveLength(2600)
    expect(service.requests.map(({ operation }) => operation)).toEqual([
      ...['balances', 'balances', 'collectibles', 'collectibles'],
    ])
    const { chainId, address } = service.token('CROWD')
    expect(await all(paginateTokenHolders(client, { chainId, address }))).toHaveLength(2000)
    const empty = service.wallet('empty').address
    expect(await all(paginateBalances(client, { address: empty }))).toEqual([])
    expect(client.getUsage().spent).toBe(service.units)
  })

  it('returns a former current price as a historical price', async () => {
    const { service, client } = start()
    const parameters = { address: 'native', chainIds: [1] as const }
    const before = await getTokenInfo(client, parameters)
    service.advance(300)
    const after = await getTokenInfo(client, { ...parameters, historicalPrices: [1] })
    expect(after.tokens[0]?.historical_prices).toEqual([
      { offset_hours: 1, price_usd: before.tokens[0]?.price_usd },
    ])
    expect(after.tokens[0]?.price_usd).not.toBe(before.tokens[0]?.price_usd)
  })
})
