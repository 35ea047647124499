import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type EffectScope, effectScope, shallowRef } from 'vue'
import { type Client, createClient, tokenBalanceQueryOptions } from '@headwater/core'
import { createFakeService } from '@headwater/testing'
import { useTokenBalance, useWaitForChange } from './index.ts'

const service = createFakeService()
const { address } = service.wallet('everyday')
const ether = service.token('native')
const parameters = { address, tokenAddress: 'native', chainIds: [1] } as const

let client: Client
let scope: EffectScope

const create = () =>
  createClient({ baseUrl: service.url, apiKey: service.key, fetch: service.fetch, ssr: false })

beforeEach(() => {
  vi.useFakeTimers()
  client = create()
  scope = effectScope()
})

afterEach(() => {
  scope.stop()
  client.destroy()
  vi.useRealTimers()
})

const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds)

test('reports the change, which other subscribers of the query receive, too', async () => {
  const [change, balance] = scope.run(() => [
    useWaitForChange({ client }),
    useTokenBalance(parameters, { client, refetchInterval: false }),
  ])!
  await pass(1)
  expect(change.value.status).toBe('idle')
  void change.value.waitForChange(tokenBalanceQueryOptions(client, parameters))
  await pass(1)
  expect(change.value.status).toBe('pending')
  service.setAmount(address, ether, 7n)
  await pass(1000)
  expect(change.value.status).toBe('changed')
  expect(balance.value.data?.balances[0]?.amount).toBe('7')
})

test('is cancelled when its scope is stopped', async () => {
  const change = scope.run(() => useWaitForChange({ client }))!
  await pass(1)
  const ended = change.value.waitForChange(tokenBalanceQueryOptions(client, parameters))
  await pass(1)
  scope.stop()
  await pass(1000)
  expect(await ended).toMatchObject({ status: 'idle' })
  const requested = service.requests.length
  await pass(60_000)
  expect(service.requests.length).toBe(requested)
})

test('continues while the client is the same, and is reset by another client', async () => {
  const options = shallowRef({ client })
  const change = scope.run(() => useWaitForChange(options))!
  await pass(1)
  void change.value.waitForChange(tokenBalanceQueryOptions(client, parameters))
  await pass(1)
  options.value = { client }
  await pass(1)
  expect(change.value.status).toBe('pending')
  const other = create()
  options.value = { client: other }
  expect(change.value.status).toBe('idle')
  other.destroy()
})
