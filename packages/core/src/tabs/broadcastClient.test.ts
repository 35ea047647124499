import { focusManager, QueryClient } from '@tanstack/query-core'
import { describe, expect, it, vi } from 'vitest'
import { advance, tabsInFakeTime } from '../../test/tabsInFakeTime.ts'
import { parameters, tokenInfo } from '../../test/tokenInfo.ts'
import { setBudget } from '../budget/setBudget.ts'
import { tokenInfoQueryOptions } from '../operations/tokenInfo.ts'
import { broadcastClient } from './broadcastClient.ts'

const { service, create, open, watch } = tabsInFakeTime()

describe('broadcastClient', () => {
  it('joins its group once when it is called twice, as by a component that renders twice', async () => {
    const { client, stop } = open()
    const again = broadcastClient(client, { group: 'tests' })
    await advance(100)
    expect((await navigator.locks.query()).held).toHaveLength(2)
    stop()
    stop()
    await advance(100)
    expect((await navigator.locks.query()).held).toHaveLength(2)
    again()
    await advance(100)
    expect((await navigator.locks.query()).held).toEqual([])
  })

  it('does not delay the first request of the only tab noticeably', async () => {
    const { client } = open()
    watch(client)
    await advance(50)
    expect(service.requests).toHaveLength(1)
  })

  it('fetches for a component that renders twice while it waits for the leader', async () => {
    const { client } = open()
    watch(client).subscription.unsubscribe()
    const { prices } = watch(client)
    await advance(300)
    expect(prices).toEqual([1])
  })

  it('receives the responses of the leader in a page that is opened in the background', async () => {
    watch(open().client)
    await advance(1000)
    const hidden = vi.spyOn(focusManager, 'isFocused').mockReturnValue(false)
    const { client } = open()
    hidden.mockRestore()
    const { prices } = watch(client)
    await advance(300)
    expect(prices).toEqual([1])
    expect(service.requests).toHaveLength(1)
  })

  it('sends nothing after its client was destroyed, even if a poll is due', async () => {
    const one = open()
    watch(one.client)
    await advance(1000)
    const two = open()
    watch(two.client)
    await advance(1000)
    vi.setSystemTime(Date.now() + 3_600_000)
    two.client.destroy()
    one.client.destroy()
    two.stop()
    await advance(1000)
    expect(service.requests).toHaveLength(1)
  })

  it('lets a tab poll on its own after stop', async () => {
    watch(open().client)
    await advance(1000)
    const two = open()
    const { prices } = watch(two.client)
    await advance(1000)
    two.stop()
    await advance(10_000)
    expect(service.requests).toHaveLength(3)
    expect(prices.length).toBe(2)
  })

  it('counts a query of two tabs once for the budget of the leader', async () => {
    const demands = vi.fn()
    const one = open()
    setBudget(one.client)
    const limiter = one.client.usageTracker.limiter!
    const getIntervalMultiplier = limiter.getIntervalMultiplier.bind(limiter)
    vi.spyOn(limiter, 'getIntervalMultiplier').mockImplementation((demand) => {
      demands(Math.round(demand()))
      return getIntervalMultiplier(demand)
    })
    watch(one.client)
    await advance(100)
    watch(open().client)
    watch(open().client)
    await advance(12_000)
    // Two units for the price of a token, six times a minute.
    expect(new Set(demands.mock.calls.flat())).toEqual(new Set([12]))
  })

  it('does not fetch for a stream that ended meanwhile', async () => {
    const { client } = open()
    watch(client).subscription.unsubscribe()
    client.destroy()
    await advance(300)
    expect(service.requests).toHaveLength(0)
  })

  it('pauses while hidden, and polls once for all tabs when visible again', async () => {
    watch(open().client)
    watch(open().client)
    await advance(1000)
    expect(service.requests).toHaveLength(1)
    focusManager.setFocused(false)
    await advance(60_000)
    expect(service.requests).toHaveLength(1)
    expect((await navigator.locks.query()).held).toEqual([])
    focusManager.setFocused(true)
    await advance(1000)
    expect(service.requests).toHaveLength(2)
    await advance(20_000)
    expect(service.requests).toHaveLength(4)
  })

  it('does nothing on a server and without Web Locks', async () => {
    broadcastClient(create({ ssr: true }))
    vi.stubGlobal('navigator', {})
    broadcastClient(create({ ssr: false }))
    vi.stubGlobal('navigator', undefined)
    broadcastClient(create({ ssr: false }))()
    vi.unstubAllGlobals()
    await advance(100)
    expect((await navigator.locks.query()).held).toEqual([])
  })

  it('is disabled when locks are denied, as in a sandbox', async () => {
    const request = vi.spyOn(navigator.locks, 'request').mockRejectedValue(new Error('insecure'))
    const { prices } = watch(open().client)
    await advance(15_000)
    request.mockRestore()
    expect(prices).toEqual([1, 2])
  })

  it('is disabled when a channel is denied, as in Firefox without cookies', async () => {
    vi.stubGlobal('BroadcastChannel', function deny() {
      throw new DOMException('The operation is insecure.', 'SecurityError')
    })
    const { client } = open()
    vi.unstubAllGlobals()
    const { prices } = watch(client)
    await advance(15_000)
    expect(prices).toEqual([1, 2])
  })

  it('does not replace newer data in an existing cache', async () => {
    const queryClient = new QueryClient()
    const client = create({ queryClient, ssr: false })
    const { queryKey } = tokenInfoQueryOptions(client, parameters)
    const one = open()
    watch(one.client)
    await advance(1000)
    queryClient.setQueryData(queryKey, tokenInfo(99))
    broadcastClient(client, { group: 'tests' })
    await advance(1000)
    expect(queryClient.getQueryData(queryKey)).toMatchObject(tokenInfo(99))
    queryClient.clear()
  })
})
