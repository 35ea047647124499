import { describe, expect, it, vi } from 'vitest'
import { other, pass, tabsInFakeTime } from '../../test/tabsInFakeTime.ts'
import { parameters } from '../../test/tokenInfo.ts'

const { service, open, watch } = tabsInFakeTime()

/** Who asked what, by number of the client. */
const asked = () => service.asked.map(({ url }) => (url.includes('31338') ? 'other' : 'same'))

describe('tabs that share', () => {
  it('cost the units of one', async () => {
    const one = watch(open().client)
    await pass(100)
    const two = watch(open().client)
    const three = watch(open().client)
    await pass(60_000)
    expect(service.asked.length).toBeGreaterThanOrEqual(6)
    expect(service.asked.length).toBeLessThanOrEqual(7)
    expect(two.prices).toEqual(one.prices)
    expect(three.prices).toEqual(one.prices)
    expect(one.prices).toEqual(service.asked.map((_, index) => index + 1))
  })

  it('look at what they watch when that changed, and not at every answer', async () => {
    const { client } = open()
    watch(client, parameters, 1000)
    await pass(500)
    const watched = vi.spyOn(client.streams, 'getActiveQueries')
    await pass(5000)
    expect(service.asked.length).toBeGreaterThan(3)
    expect(watched).not.toHaveBeenCalled()
    watch(client, other, 1000)
    await pass(100)
    expect(watched).toHaveBeenCalledOnce()
  })

  it('tell the leader of a shorter interval, and when nobody wants it any more', async () => {
    watch(open().client, parameters, 60_000)
    const { client } = open()
    watch(client, parameters, 60_000)
    await pass(1000)
    const { subscription } = watch(client, parameters, 1000)
    await pass(10_000)
    const { length } = service.asked
    expect(length).toBeGreaterThan(8)
    subscription.unsubscribe()
    await pass(10_000)
    expect(service.asked.length).toBeLessThanOrEqual(length + 1)
  })

  it('have the leader poll what only another one watches, as often as that one wants', async () => {
    const by: { tab: string; url: string }[] = []
    const counting = (tab: string) =>
      ((url: string, init: RequestInit) => {
        by.push({ tab, url })
        return service.fetch(url, init)
      }) as typeof globalThis.fetch
    const one = open({ fetch: counting('one') })
    watch(one.client)
    await pass(100)
    const two = open({ fetch: counting('two') })
    const { prices, subscription } = watch(two.client, other, 3000)
    await pass(30_000)
    const others = by.filter(({ url }) => url.includes('31338'))
    expect(others.map(({ tab }) => tab).slice(0, 3)).toEqual(['two', 'one', 'one'])
    expect(others.filter(({ tab }) => tab === 'two')).toHaveLength(1)
    expect(others.length).toBeGreaterThanOrEqual(9)
    expect(others.length).toBeLessThanOrEqual(11)
    expect(prices).toHaveLength(others.length)
    subscription.unsubscribe()
    await pass(500)
    const before = by.length
    await pass(9000)
    expect(by.slice(before).filter(({ url }) => url.includes('31338'))).toEqual([])
  })

  it('have another leader at once when the leader is closed', async () => {
    const one = open()
    const { subscription } = watch(one.client)
    await pass(100)
    const two = open()
    const { prices } = watch(two.client)
    const three = open()
    watch(three.client, other)
    await pass(15_000)
    subscription.unsubscribe()
    one.client.destroy()
    const before = service.asked.length
    await pass(30_000)
    expect(prices.length).toBeGreaterThanOrEqual(4)
    const since = asked().slice(before)
    expect(since.filter((what) => what === 'same')).toHaveLength(3)
    expect(since.filter((what) => what === 'other')).toHaveLength(3)
  })

  it('poll by themselves while the leader is silent, and then one for all', async () => {
    // Somebody holds the lock and says nothing: a page that hangs.
    const { client: shape, stop } = open()
    await pass(100)
    const name = (await navigator.locks.query()).held
      ?.map((lock) => lock.name)
      .find((held) => held?.split('/').length === 4)
    stop()
    shape.destroy()
    await pass(50)
    let release: () => void = () => undefined
    void navigator.locks.request(name ?? '', () => new Promise<void>((done) => (release = done)))
    await pass(50)

    const one = watch(open().client)
    const two = watch(open().client)
    await pass(200)
    expect(service.asked.length).toBeLessThanOrEqual(2)
    const before = service.asked.length
    await pass(60_000)
    expect(one.prices.at(-1)).toBe(two.prices.at(-1))
    // At ten seconds and a grace of five to ten.
    expect(service.asked.length - before).toBeGreaterThanOrEqual(3)
    expect(service.asked.length - before).toBeLessThanOrEqual(4)
    release()
  })
})
