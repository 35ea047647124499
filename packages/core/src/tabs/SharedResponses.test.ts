import { describe, expect, it, vi } from 'vitest'
import { address, balance, balancesResponse } from '../../test/balances.ts'
import { json } from '../../test/createFakeService.ts'
import { advance, apiKey, tabsInFakeTime } from '../../test/tabsInFakeTime.ts'
import { parameters, tokenInfo } from '../../test/tokenInfo.ts'
import { tokenInfoQueryOptions } from '../operations/tokenInfo.ts'
import { watchPortfolio } from '../portfolio/watchPortfolio.ts'

const { service, open, watch } = tabsInFakeTime()

describe('tabs of one group', () => {
  it('do not share the tail of a listing', async () => {
    service.respond = () => {
      const isBelow = service.requests.at(-1)?.url.includes('offset=')
      const row = balance({ chain_id: isBelow ? 2 : 1 })
      return json({ ...balancesResponse(row), ...(!isBelow && { next_offset: 'more' }) })
    }
    const one = open().client
    watchPortfolio(one, { address }).subscribe()
    const two = open().client
    await advance(1000)
    expect(watchPortfolio(one, { address }).getSnapshot()).toMatchObject({ data: { tokens: 2 } })
    const queries = two.queryClient.getQueryCache().getAll()
    expect(queries.map(({ queryKey }) => queryKey[2])).toEqual(['balances'])
    expect(JSON.stringify(queries[0]?.queryKey)).not.toContain('offset')
  })

  it("keep the time of the leader's response", async () => {
    const one = open().client
    watch(one)
    await advance(3000)
    const two = open().client
    watch(two)
    await advance(1000)
    const { queryKey } = tokenInfoQueryOptions(one, parameters)
    const updatedAt = one.queryClient.getQueryState(queryKey)?.dataUpdatedAt
    expect(two.queryClient.getQueryState(queryKey)?.dataUpdatedAt).toBe(updatedAt)
    expect(service.requests).toHaveLength(1)
  })

  it('fetch responses that cannot be cloned', async () => {
    const { client } = open()
    await advance(100)
    const { queryKey } = tokenInfoQueryOptions(client, parameters)
    const withMethod = { ...tokenInfo(7), show: () => 'no data' }
    client.queryClient.setQueryData(queryKey, withMethod)
    const { prices } = watch(open().client)
    await advance(500)
    expect(prices).toEqual([1])
  })

  it('do not share between services, keys or groups', async () => {
    watch(open().client)
    await advance(100)
    watch(open({ apiKey: 'another' }).client)
    watch(open({ apiKeyHeader: 'X-Other' }).client)
    watch(open({ baseUrl: 'https://example.org/other' }).client)
    watch(open({}, 'another').client)
    await advance(500)
    expect(service.requests).toHaveLength(5)
    await advance(10_000)
    expect(service.requests).toHaveLength(10)
  })

  it('broadcast a response once, and do not forward those of others', async () => {
    const post = vi.spyOn(BroadcastChannel.prototype, 'postMessage')
    watch(open().client)
    await advance(100)
    watch(open().client)
    watch(open().client)
    await advance(30_000)
    const messages = post.mock.calls as [{ type: string; to?: string }][]
    const responses = messages.filter(([{ type, to }]) => type === 'responses' && to === undefined)
    post.mockRestore()
    expect(responses).toHaveLength(service.requests.length)
  })

  it('never send the API key', async () => {
    const messages: unknown[] = []
    const post = vi
      .spyOn(BroadcastChannel.prototype, 'postMessage')
      .mockImplementation((message: unknown) => void messages.push(message))
    watch(open().client)
    await advance(15_000)
    post.mockRestore()
    const { held, pending } = await navigator.locks.query()
    const names = [...(held ?? []), ...(pending ?? [])].map(({ name }) => name)
    expect(JSON.stringify(messages)).toContain('"price_usd":1')
    expect(names.length).toBeGreaterThanOrEqual(2)
    expect(JSON.stringify([messages, names])).not.toContain(apiKey)
  })
})
