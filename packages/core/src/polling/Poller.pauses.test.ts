import { focusManager, onlineManager } from '@tanstack/query-core'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { balancesResponse } from '../../test/balances.ts'
import { advance } from '../../test/clientsInFakeTime.ts'
import { json, rejectWith } from '../../test/createFakeService.ts'
import { responsesInFakeTime } from '../../test/responsesInFakeTime.ts'

const { service, create, watch } = responsesInFakeTime()
const unreachable = () => Promise.reject(new TypeError('fetch failed'))

describe('polling', () => {
  it('pauses while the page is hidden, and polls once when it is visible again', async () => {
    const client = create()
    watch(client)
    watch(client, {}, { limit: 2 })
    await advance(0)
    focusManager.setFocused(false)
    await advance(60_000)
    expect(service.requests).toHaveLength(2)
    expect(vi.getTimerCount()).toBe(0)
    focusManager.setFocused(true)
    await advance(0)
    expect(service.requests).toHaveLength(4)
    await advance(1000)
    expect(service.requests).toHaveLength(4)
  })

  it('pauses while offline, with a NetworkError, and polls once when online', async () => {
    const { emitted } = watch()
    await advance(0)
    service.respond = unreachable
    onlineManager.setOnline(false)
    await advance(60_000)
    expect(service.requests).toHaveLength(2)
    expect(emitted.at(-1)).toMatchObject({ status: 'error', error: { name: 'NetworkError' } })
    expect(emitted.at(-1)?.data?.balances).toHaveLength(1)
    expect(vi.getTimerCount()).toBe(0)
    service.respond = () => json(balancesResponse())
    onlineManager.setOnline(true)
    await advance(1000)
    expect(service.requests).toHaveLength(3)
    expect(emitted.at(-1)).toMatchObject({ status: 'success' })
  })

  it('polls at once when online, also in a page that was opened offline', async () => {
    const browser = new EventTarget()
    vi.stubGlobal('addEventListener', browser.addEventListener.bind(browser))
    vi.stubGlobal('removeEventListener', browser.removeEventListener.bind(browser))
    onTestFinished(() => void vi.unstubAllGlobals())
    // The cache assumes at first that a page is online, so that it notifies of no change.
    service.respond = unreachable
    const { emitted } = watch()
    await advance(60_000)
    const before = service.requests.length
    expect(emitted.at(-1)).toMatchObject({ status: 'error' })
    service.respond = () => json(balancesResponse())
    browser.dispatchEvent(new Event('online'))
    await advance(100)
    expect(service.requests).toHaveLength(before + 1)
    expect(emitted.at(-1)).toMatchObject({ status: 'success' })
  })

  it('does not refetch fresh data when the connection flaps', async () => {
    watch(create(), { refetchInterval: 600_000 })
    await advance(0)
    for (let flap = 0; flap < 10; flap++) {
      onlineManager.setOnline(false)
      await advance(30)
      onlineManager.setOnline(true)
      await advance(30)
    }
    expect(service.requests).toHaveLength(1)
    await advance(10_000)
    expect(service.requests).toHaveLength(1)
    onlineManager.setOnline(false)
    await advance(0)
    expect(service.requests).toHaveLength(2)
  })

  it('continues while offline if the service is reachable', async () => {
    const { emitted } = watch()
    await advance(0)
    onlineManager.setOnline(false)
    await advance(35_500)
    expect(service.requests).toHaveLength(5)
    expect(emitted.at(-1)).toMatchObject({ status: 'success' })
  })

  it('resumes when online after a first request failed offline', async () => {
    onlineManager.setOnline(false)
    service.respond = unreachable
    const { emitted } = watch()
    await advance(0)
    expect(emitted.at(-1)).toMatchObject({ status: 'error', error: { name: 'NetworkError' } })
    await emitted.at(-1)?.refetch()
    await advance(60_000)
    expect(service.requests).toHaveLength(2)
    service.respond = () => json(balancesResponse())
    onlineManager.setOnline(true)
    await advance(0)
    expect(emitted.at(-1)?.status).toBe('success')
  })

  it('respects Retry-After when the connection returns', async () => {
    service.respond = rejectWith(429, { 'retry-after': '60' })
    watch()
    await advance(1000)
    onlineManager.setOnline(false)
    await advance(1000)
    onlineManager.setOnline(true)
    await advance(57_000)
    expect(service.requests).toHaveLength(1)
    await advance(2000)
    expect(service.requests).toHaveLength(2)
  })

  it('is disabled on a server, which fetches once and keeps no timer', async () => {
    const client = create({ ssr: true })
    const { subscription, emitted } = watch(client)
    await advance(60_000)
    expect(service.requests).toHaveLength(1)
    expect(emitted.at(-1)?.status).toBe('success')
    subscription.unsubscribe()
    expect(vi.getTimerCount()).toBe(0)
  })
})
