import { setupServer } from 'msw/node'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { createClient, getBalances, HttpError, NetworkError } from '@headwater/core'
import { createFakeService } from './createFakeService.ts'
import { createHandlers } from './createHandlers.ts'

const service = createFakeService()
const elsewhere = 'https://data.example.org/v7'
const server = setupServer(
  ...createHandlers(service),
  ...createHandlers(service, { baseUrl: `${elsewhere}/` }),
)

beforeAll(() => server.listen({ onUnhandledFrame: 'error' }))
afterEach(() => service.reset())
afterAll(() => server.close())

describe.each([service.url, elsewhere])('handlers for %s', (baseUrl) => {
  const client = createClient({ baseUrl, apiKey: service.key })
  const get = (signal?: AbortSignal) =>
    getBalances(client, { address: service.wallet('everyday').address }, signal ? { signal } : {})

  it('handle the global fetch', async () => {
    const { balances } = await get()
    expect(balances.length).toBeGreaterThan(5)
    expect(service.requests).toMatchObject([{ operation: 'balances', status: 200, units: 3 }])
  })

  it('fail by faults', async () => {
    service.fail({ status: 500, times: 1 })
    await expect(get()).rejects.toBeInstanceOf(HttpError)
    service.fail({ kind: 'network', times: 1 })
    await expect(get()).rejects.toBeInstanceOf(NetworkError)
    service.fail({ kind: 'cut', times: 1 })
    await expect(get()).rejects.toBeInstanceOf(NetworkError)
    service.fail({ kind: 'hold' })
    const reason = new Error('left')
    const controller = new AbortController()
    const held = get(controller.signal)
    controller.abort(reason)
    await expect(held).rejects.toBe(reason)
  })

  it('report nothing when a request is aborted that the service has received', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    service.fail({ kind: 'hold' })
    const controller = new AbortController()
    const held = get(controller.signal)
    await expect.poll(() => service.requests.length).toBe(1)
    controller.abort()
    await expect(held).rejects.toMatchObject({ name: 'AbortError' })
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(log).not.toHaveBeenCalled()
    log.mockRestore()
  })
})
