// @vitest-environment happy-dom
// The environment of component tests, whose fetch, requests and streams differ from those of Node.
import { expect, it, vi } from 'vitest'
import { createClient, getBalances, NetworkError } from '@headwater/core'
import { createFakeService } from './createFakeService.ts'

it('responds, fails and aborts in happy-dom with fake timers', async () => {
  vi.useFakeTimers()
  try {
    const service = createFakeService()
    const { url: baseUrl, key: apiKey, fetch } = service
    const client = createClient({ baseUrl, apiKey, fetch })
    const { address } = service.wallet('everyday')
    const get = (signal?: AbortSignal) => getBalances(client, { address }, signal ? { signal } : {})
    expect((await get()).balances.length).toBeGreaterThan(5)
    service.fail({ kind: 'cut', times: 1 })
    await expect(get()).rejects.toBeInstanceOf(NetworkError)
    service.fail({ kind: 'hold' })
    const controller = new AbortController()
    const held = get(controller.signal)
    controller.abort(new Error('left'))
    await expect(held).rejects.toThrow('left')
    expect(typeof window).toBe('object')
  } finally {
    vi.useRealTimers()
  }
})
