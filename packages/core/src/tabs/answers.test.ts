import { describe, expect, it, vi } from 'vitest'
import { address, balance, balancesResponse } from '../../test/balances.ts'
import { json } from '../../test/createFakeService.ts'
import { apiKey, pass, tabsInFakeTime } from '../../test/tabsInFakeTime.ts'
import { parameters, tokenInfo } from '../../test/tokenInfo.ts'
import { tokenInfoQueryOptions } from '../operations/tokenInfo.ts'
import { watchPortfolio } from '../portfolio/watchPortfolio.ts'

const { service, open, watch } = tabsInFakeTime()

describe('tabs that share', () => {
  it('keep the pages below the first of a listing to themselves', async () => {
    service.answer = () => {
      const isBelow = service.asked.at(-1)?.url.includes('offset=')
      const row = balance({ chain_id: isBelow ? 2 : 1 })
      return json({ ...balancesResponse(row), ...(!isBelow && { next_offset: 'more' }) })
    }
    const one = open().client
    watchPortfolio(one, { address }).subscribe()
    const two = open().client
    await pass(1000)
    expect(watchPortfolio(one, { address }).getSnapshot()).toMatchObject({ data: { tokens: 2 } })
    const queries = two.queryClient.getQueryCache().getAll()
    expect(queries.map(({ queryKey }) => queryKey[2])).toEqual(['balances'])
    expect(JSON.stringify(queries[0]?.queryKey)).not.toContain('offset')
  })

  it('keep the time at which the leader learned it', async () => {
    const one = open().client
    watch(one)
    await pass(3000)
    const two = open().client
    watch(two)
    await pass(1000)
    const { queryKey } = tokenInfoQueryOptions(one, parameters)
    const updatedAt = one.queryClient.getQueryState(queryKey)?.dataUpdatedAt
    expect(two.queryClient.getQueryState(queryKey)?.dataUpdatedAt).toBe(updatedAt)
    expect(service.asked).toHaveLength(1)
  })

  it('ask by themselves for what cannot be sent', async () => {
    const { client } = open()
    await pass(100)
    const { queryKey } = tokenInfoQueryOptions(client, parameters)
    client.queryClient.setQueryData(queryKey, { ...tokenInfo(7), show: () => 'no data' })
    const { prices } = watch(open().client)
    await pass(500)
    expect(prices).toEqual([1])
  })

  it('never share under another service, key or group', async () => {
    watch(open().client)
    await pass(100)
    watch(open({ apiKey: 'another' }).client)
    watch(open({ apiKeyHeader: 'X-Other' }).client)
    watch(open({ baseUrl: 'https://example.org/other' }).client)
    watch(open({}, 'another').client)
    await pass(500)
    expect(service.asked).toHaveLength(5)
    await pass(10_000)
    expect(service.asked).toHaveLength(10)
  })

  it('tell what they learned once, and not what they were told', async () => {
    const post = vi.spyOn(BroadcastChannel.prototype, 'postMessage')
    watch(open().client)
    await pass(100)
    watch(open().client)
    watch(open().client)
    await pass(30_000)
    const messages = post.mock.calls as [{ type: string; to?: string }][]
    const answers = messages.filter(([{ type, to }]) => type === 'responses' && to === undefined)
    post.mockRestore()
    expect(answers).toHaveLength(service.asked.length)
  })

  it('never tell a key', async () => {
    const said: unknown[] = []
    const post = vi
      .spyOn(BroadcastChannel.prototype, 'postMessage')
      .mockImplementation((message: unknown) => void said.push(message))
    watch(open().client)
    await pass(15_000)
    post.mockRestore()
    const { held, pending } = await navigator.locks.query()
    const names = [...(held ?? []), ...(pending ?? [])].map(({ name }) => name)
    expect(JSON.stringify(said)).toContain('"price_usd":1')
    expect(names.length).toBeGreaterThanOrEqual(2)
    expect(JSON.stringify([said, names])).not.toContain(apiKey)
  })
})
