import { focusManager, QueryClient } from '@tanstack/query-core'
import { describe, expect, it, vi } from 'vitest'
import { pass, tabsInFakeTime } from '../../test/tabsInFakeTime.ts'
import { parameters, tokenInfo } from '../../test/tokenInfo.ts'
import { tokenInfoQueryOptions } from '../operations/tokenInfo.ts'
import { broadcastClient } from './broadcastClient.ts'

const { service, create, open, watch } = tabsInFakeTime()

describe('sharing', () => {
  it('is not asked for twice when a component is rendered twice', async () => {
    const { client, stop } = open()
    const again = broadcastClient(client, { group: 'tests' })
    await pass(100)
    expect((await navigator.locks.query()).held).toHaveLength(2)
    stop()
    stop()
    await pass(100)
    expect((await navigator.locks.query()).held).toHaveLength(2)
    again()
    await pass(100)
    expect((await navigator.locks.query()).held).toEqual([])
  })

  it('delays the first request of the only tab by no time that is felt', async () => {
    const { client } = open()
    watch(client)
    await pass(50)
    expect(service.asked).toHaveLength(1)
  })

  it('asks for a component that is rendered twice while it waits for the leader', async () => {
    const { client } = open()
    watch(client).subscription.unsubscribe()
    const { prices } = watch(client)
    await pass(300)
    expect(prices).toEqual([1])
  })

  it('knows what the leader knows in a page that is opened in the background too', async () => {
    watch(open().client)
    await pass(1000)
    const hidden = vi.spyOn(focusManager, 'isFocused').mockReturnValue(false)
    const { client } = open()
    hidden.mockRestore()
    const { prices } = watch(client)
    await pass(300)
    expect(prices).toEqual([1])
    expect(service.asked).toHaveLength(1)
  })

  it('asks nothing more when its client is destroyed, though something is due', async () => {
    const one = open()
    watch(one.client)
    await pass(1000)
    const two = open()
    watch(two.client)
    await pass(1000)
    vi.setSystemTime(Date.now() + 3_600_000)
    two.client.destroy()
    one.client.destroy()
    two.stop()
    await pass(1000)
    expect(service.asked).toHaveLength(1)
  })

  it('ends for a tab that then polls by itself', async () => {
    watch(open().client)
    await pass(1000)
    const two = open()
    const { prices } = watch(two.client)
    await pass(1000)
    two.stop()
    await pass(10_000)
    expect(service.asked).toHaveLength(3)
    expect(prices.length).toBe(2)
  })

  it('counts what two tabs watch once for the budget of the leader', async () => {
    const stretched = vi.fn()
    const one = open()
    const { limiter } = one.client.ledger
    const getIntervalMultiplier = limiter.getIntervalMultiplier.bind(limiter)
    vi.spyOn(limiter, 'getIntervalMultiplier').mockImplementation((demand) => {
      stretched(Math.round(demand()))
      return getIntervalMultiplier(demand)
    })
    watch(one.client)
    await pass(100)
    watch(open().client)
    watch(open().client)
    await pass(12_000)
    // Two units of a token's price, six times a minute.
    expect(new Set(stretched.mock.calls.flat())).toEqual(new Set([12]))
  })

  it('asks nothing for who left meanwhile', async () => {
    const { client } = open()
    watch(client).subscription.unsubscribe()
    client.destroy()
    await pass(300)
    expect(service.asked).toHaveLength(0)
  })

  it('rests while hidden, and asks once for all on return', async () => {
    watch(open().client)
    watch(open().client)
    await pass(1000)
    expect(service.asked).toHaveLength(1)
    focusManager.setFocused(false)
    await pass(60_000)
    expect(service.asked).toHaveLength(1)
    expect((await navigator.locks.query()).held).toEqual([])
    focusManager.setFocused(true)
    await pass(1000)
    expect(service.asked).toHaveLength(2)
    await pass(20_000)
    expect(service.asked).toHaveLength(4)
  })

  it('does nothing on a server and where there are no locks', async () => {
    broadcastClient(create({ ssr: true }))
    vi.stubGlobal('navigator', {})
    broadcastClient(create({ ssr: false }))
    vi.stubGlobal('navigator', undefined)
    broadcastClient(create({ ssr: false }))()
    vi.unstubAllGlobals()
    await pass(100)
    expect((await navigator.locks.query()).held).toEqual([])
  })

  it('ends where locks are refused, as in a sandbox', async () => {
    const request = vi.spyOn(navigator.locks, 'request').mockRejectedValue(new Error('insecure'))
    const { prices } = watch(open().client)
    await pass(15_000)
    request.mockRestore()
    expect(prices).toEqual([1, 2])
  })

  it('leaves a cache alone that was there before, where that knows better', async () => {
    const queryClient = new QueryClient()
    const client = create({ queryClient, ssr: false })
    const { queryKey } = tokenInfoQueryOptions(client, parameters)
    const one = open()
    watch(one.client)
    await pass(1000)
    queryClient.setQueryData(queryKey, tokenInfo(99))
    broadcastClient(client, { group: 'tests' })
    await pass(1000)
    expect(queryClient.getQueryData(queryKey)).toMatchObject(tokenInfo(99))
    queryClient.clear()
  })
})
