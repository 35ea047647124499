import { focusManager } from '@tanstack/query-core'
import { describe, expect, it, vi } from 'vitest'
import { never, rejectWith } from '../../test/createFakeService.ts'
import { advance, other, tabsInFakeTime } from '../../test/tabsInFakeTime.ts'
import { parameters } from '../../test/tokenInfo.ts'
import { getPolls } from '../inspect.ts'

const { service, open, watch } = tabsInFakeTime()

/** The token of each request. */
const requestedTokens = () =>
  service.requests.map(({ url }) => (url.includes('31338') ? 'other' : 'same'))

describe('the leader of a group of tabs', () => {
  it('polls for all of them, at the cost of one', async () => {
    const one = watch(open().client)
    await advance(100)
    const two = watch(open().client)
    const three = watch(open().client)
    await advance(60_000)
    expect(service.requests.length).toBeGreaterThanOrEqual(6)
    expect(service.requests.length).toBeLessThanOrEqual(7)
    expect(two.prices).toEqual(one.prices)
    expect(three.prices).toEqual(one.prices)
    expect(one.prices).toEqual(service.requests.map((_, index) => index + 1))
  })

  it('reads its queries when they change, and not on every response', async () => {
    const { client } = open()
    watch(client, parameters, 1000)
    await advance(500)
    const watched = vi.spyOn(client.streams, 'getActiveQueries')
    await advance(5000)
    expect(service.requests.length).toBeGreaterThan(3)
    expect(watched).not.toHaveBeenCalled()
    watch(client, other, 1000)
    await advance(100)
    expect(watched).toHaveBeenCalledOnce()
  })

  it('polls for other tabs after the clock was set back', async () => {
    const one = open()
    watch(one.client, parameters, 3_600_000)
    await advance(1000)
    watch(open().client, other, 10_000)
    await advance(1000)
    vi.setSystemTime(Date.now() - 3_600_000)
    await advance(30_000)
    const { length } = requestedTokens().filter((each) => each === 'other')
    expect(length).toBe(4)
    expect(one.client.getUsage().spent).toBeGreaterThanOrEqual(2 * 3)
  })

  it('continues after a poll for another tab failed and was hidden before its retry', async () => {
    const { client } = open()
    await advance(100)
    const { prices } = watch(open().client)
    await advance(9000)
    const { respond } = service
    service.respond = (count) => (count === 2 ? rejectWith(503)() : respond(count))
    while (service.requests.length < 2) {
      await advance(100)
    }
    focusManager.setFocused(false)
    await advance(5000)
    focusManager.setFocused(true)
    await advance(25_000)
    expect(prices).toEqual([1, 3, 4, 5])
    expect(client.getUsage().spent).toBe(2 * 3)
  })

  it('polls at the shortest interval of all tabs, while it is requested', async () => {
    watch(open().client, parameters, 60_000)
    const { client } = open()
    watch(client, parameters, 60_000)
    await advance(1000)
    const { subscription } = watch(client, parameters, 1000)
    await advance(10_000)
    const { length } = service.requests
    expect(length).toBeGreaterThan(8)
    subscription.unsubscribe()
    await advance(10_000)
    expect(service.requests.length).toBeLessThanOrEqual(length + 1)
  })

  it('reports that a request for another tab is in flight', async () => {
    const { client } = open()
    await advance(100)
    watch(open().client)
    await advance(1000)
    expect(getPolls(client)).toMatchObject([{ kind: 'follower', reason: 'interval' }])
    service.respond = never
    await advance(10_000)
    expect(getPolls(client)).toMatchObject([{ kind: 'follower', reason: 'fetching' }])
  })

  it('polls queries that only another tab watches, at the requested interval', async () => {
    const by: { tab: string; url: string }[] = []
    const counting = (tab: string) =>
      ((url: string, init: RequestInit) => {
        by.push({ tab, url })
        return service.fetch(url, init)
      }) as typeof globalThis.fetch
    const one = open({ fetch: counting('one') })
    watch(one.client)
    await advance(100)
    const two = open({ fetch: counting('two') })
    const { prices, subscription } = watch(two.client, other, 3000)
    await advance(30_000)
    const others = by.filter(({ url }) => url.includes('31338'))
    expect(others.map(({ tab }) => tab).slice(0, 3)).toEqual(['two', 'one', 'one'])
    expect(others.filter(({ tab }) => tab === 'two')).toHaveLength(1)
    expect(others.length).toBeGreaterThanOrEqual(9)
    expect(others.length).toBeLessThanOrEqual(11)
    expect(prices).toHaveLength(others.length)
    subscription.unsubscribe()
    await advance(500)
    const before = by.length
    await advance(9000)
    expect(by.slice(before).filter(({ url }) => url.includes('31338'))).toEqual([])
  })

  it('is replaced immediately when it is closed', async () => {
    const one = open()
    const { subscription } = watch(one.client)
    await advance(100)
    const two = open()
    const { prices } = watch(two.client)
    const three = open()
    watch(three.client, other)
    await advance(15_000)
    subscription.unsubscribe()
    one.client.destroy()
    const before = service.requests.length
    await advance(30_000)
    expect(prices.length).toBeGreaterThanOrEqual(4)
    const since = requestedTokens().slice(before)
    expect(since.filter((what) => what === 'same')).toHaveLength(3)
    expect(since.filter((what) => what === 'other')).toHaveLength(3)
  })

  it('that hangs is replaced by followers, of which one polls for all', async () => {
    // A lock whose holder sends no messages, as of a page that hangs.
    const { client: template, stop } = open()
    await advance(100)
    const name = (await navigator.locks.query()).held
      ?.map((lock) => lock.name)
      .find((held) => held?.split('/').length === 4)
    stop()
    template.destroy()
    await advance(50)
    let release: () => void = () => undefined
    void navigator.locks.request(name ?? '', () => new Promise<void>((done) => (release = done)))
    await advance(50)

    const one = watch(open().client)
    const two = watch(open().client)
    await advance(200)
    expect(service.requests.length).toBeLessThanOrEqual(2)
    const before = service.requests.length
    await advance(60_000)
    expect(one.prices.at(-1)).toBe(two.prices.at(-1))
    // Ten seconds, and a delay of five to ten.
    expect(service.requests.length - before).toBeGreaterThanOrEqual(3)
    expect(service.requests.length - before).toBeLessThanOrEqual(4)
    release()
  })
})
