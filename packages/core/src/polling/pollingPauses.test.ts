import { focusManager, onlineManager } from '@tanstack/query-core'
import { describe, expect, it, vi } from 'vitest'
import { balancesResponse } from '../../test/balances.ts'
import { pass } from '../../test/clientsInFakeTime.ts'
import { json, refusing } from '../../test/createFakeService.ts'
import { responsesInFakeTime } from '../../test/responsesInFakeTime.ts'

const { service, create, watch } = responsesInFakeTime()
const unreachable = () => Promise.reject(new TypeError('fetch failed'))

describe('polling rests', () => {
  it('while the page is hidden, and refreshes once on return', async () => {
    const client = create()
    watch(client)
    watch(client, {}, { limit: 2 })
    await pass(0)
    focusManager.setFocused(false)
    await pass(60_000)
    expect(service.asked).toHaveLength(2)
    expect(vi.getTimerCount()).toBe(0)
    focusManager.setFocused(true)
    await pass(0)
    expect(service.asked).toHaveLength(4)
    await pass(1000)
    expect(service.asked).toHaveLength(4)
  })

  it('while the network is away, says so, and refreshes once on return', async () => {
    const { seen } = watch()
    await pass(0)
    service.answer = unreachable
    onlineManager.setOnline(false)
    await pass(60_000)
    expect(service.asked).toHaveLength(2)
    expect(seen.at(-1)).toMatchObject({ status: 'error', error: { name: 'NetworkError' } })
    expect(seen.at(-1)?.data?.balances).toHaveLength(1)
    expect(vi.getTimerCount()).toBe(0)
    service.answer = () => json(balancesResponse())
    onlineManager.setOnline(true)
    await pass(1000)
    expect(service.asked).toHaveLength(3)
    expect(seen.at(-1)).toMatchObject({ status: 'success' })
  })

  it('asks for nothing fresh again however often the network comes and goes', async () => {
    watch(create(), { refetchInterval: 600_000 })
    await pass(0)
    for (let flap = 0; flap < 10; flap++) {
      onlineManager.setOnline(false)
      await pass(30)
      onlineManager.setOnline(true)
      await pass(30)
    }
    expect(service.asked).toHaveLength(1)
    await pass(10_000)
    expect(service.asked).toHaveLength(1)
    onlineManager.setOnline(false)
    await pass(0)
    expect(service.asked).toHaveLength(2)
  })

  it('not while the network is away from a service that is near', async () => {
    const { seen } = watch()
    await pass(0)
    onlineManager.setOnline(false)
    await pass(35_500)
    expect(service.asked).toHaveLength(5)
    expect(seen.at(-1)).toMatchObject({ status: 'success' })
  })

  it('after a first request without a network, which settles at once and is made again on return', async () => {
    onlineManager.setOnline(false)
    service.answer = unreachable
    const { seen } = watch()
    await pass(0)
    expect(seen.at(-1)).toMatchObject({ status: 'error', error: { name: 'NetworkError' } })
    await seen.at(-1)?.refetch()
    await pass(60_000)
    expect(service.asked).toHaveLength(2)
    service.answer = () => json(balancesResponse())
    onlineManager.setOnline(true)
    await pass(0)
    expect(seen.at(-1)?.status).toBe('success')
  })

  it('without breaking a wait that the service named when the network returns', async () => {
    service.answer = refusing(429, { 'retry-after': '60' })
    watch()
    await pass(1000)
    onlineManager.setOnline(false)
    await pass(1000)
    onlineManager.setOnline(true)
    await pass(57_000)
    expect(service.asked).toHaveLength(1)
    await pass(2000)
    expect(service.asked).toHaveLength(2)
  })

  it('on a server, which asks once and keeps no timer', async () => {
    const client = create({ ssr: true })
    const { subscription, seen } = watch(client)
    await pass(60_000)
    expect(service.asked).toHaveLength(1)
    expect(seen.at(-1)?.status).toBe('success')
    subscription.unsubscribe()
    expect(vi.getTimerCount()).toBe(0)
  })
})
