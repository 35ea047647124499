import { flushSync } from 'svelte'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Client, createClient, tokenBalanceQueryOptions } from '@headwater/core'
import { createFakeService } from '@headwater/testing'
import { createTokenBalance, createWaitForChange } from './index.ts'

const service = createFakeService()
const { address } = service.wallet('everyday')
const ether = service.token('native')
const parameters = { address, tokenAddress: 'native', chainIds: [1] } as const

let client: Client

const create = () =>
  createClient({ baseUrl: service.url, apiKey: service.key, fetch: service.fetch, ssr: false })

beforeEach(() => {
  vi.useFakeTimers()
  client = create()
})

afterEach(() => {
  client.destroy()
  vi.useRealTimers()
})

const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds)

test('reports the change, which other subscribers of the query receive, too', async () => {
  const change = createWaitForChange({ client })
  const balance = createTokenBalance(parameters, { client, refetchInterval: false })
  const leaves = [change, balance].map((store) => store.subscribe(() => {}))
  await pass(1)
  expect(change.current.status).toBe('idle')
  void change.current.waitForChange(tokenBalanceQueryOptions(client, parameters))
  await pass(1)
  expect(change.current.status).toBe('pending')
  service.setAmount(address, ether, 7n)
  await pass(1000)
  expect(change.current.status).toBe('changed')
  expect(balance.current.data?.balances[0]?.amount).toBe('7')
  leaves.forEach((leave) => leave())
})

test('is cancelled when the last subscriber unsubscribes', async () => {
  const change = createWaitForChange({ client })
  const leave = change.subscribe(() => {})
  const ended = change.current.waitForChange(tokenBalanceQueryOptions(client, parameters))
  await pass(1)
  leave()
  await pass(1000)
  expect(await ended).toMatchObject({ status: 'idle' })
  const requested = service.requests.length
  await pass(60_000)
  expect(service.requests.length).toBe(requested)
})

test('continues while the client is the same, and is reset by another client', async () => {
  let options = $state.raw({ client })
  const change = createWaitForChange(() => options)
  const leave = change.subscribe(() => {})
  void change.current.waitForChange(tokenBalanceQueryOptions(client, parameters))
  await pass(1)
  options = { client }
  flushSync()
  expect(change.current.status).toBe('pending')
  const other = create()
  options = { client: other }
  flushSync()
  expect(change.current.status).toBe('idle')
  leave()
  other.destroy()
})
