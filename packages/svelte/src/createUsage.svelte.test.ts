import { flushSync } from 'svelte'
import { get } from 'svelte/store'
import { afterEach, expect, test } from 'vitest'
import { type Client, createClient, getBalances } from '@headwater/core'
import { createFakeService } from '@headwater/testing'
import { createUsage } from './index.ts'

const service = createFakeService()
const { address } = service.wallet('everyday')
const clients: Client[] = []
const create = (ssr = false) => {
  const { url: baseUrl, key: apiKey, fetch } = service
  const client = createClient({ baseUrl, apiKey, fetch, ssr })
  clients.push(client)
  return client
}
const request = (client: Client) => getBalances(client, { address, chainIds: [1, 8453] })

afterEach(() => {
  for (const client of clients.splice(0)) {
    client.destroy()
  }
})

test('emits each change of the usage only', async () => {
  const client = create()
  const seen: number[] = []
  const usage = createUsage({ client })
  expect(usage.current).toEqual({ spent: 0, byOperation: {}, byMinute: [], remaining: undefined })
  const leave = usage.subscribe(({ spent }) => void seen.push(spent))
  await request(client)
  await request(client)
  service.fail({ status: 401, times: 1 })
  await request(client).catch(() => {})
  expect(seen).toEqual([0, 2, 4])
  expect(usage.current).toBe(client.getUsage())
  leave()
  await request(client)
  expect(seen).toEqual([0, 2, 4])
})

test('is reactive by `current`, also for another client', async () => {
  const first = create()
  const second = create()
  await request(first)
  let options = $state.raw({ client: first })
  const seen: number[] = []
  const leave = $effect.root(() => {
    const usage = createUsage(() => options)
    $effect(() => void seen.push(usage.current.spent))
  })
  flushSync()
  options = { client: second }
  flushSync()
  await request(second)
  flushSync()
  expect(seen).toEqual([2, 0, 2])
  leave()
})

test('is zero on a server', async () => {
  const client = create(true)
  await request(client)
  const usage = createUsage({ client })
  expect([usage.current.spent, get(usage).spent]).toEqual([0, 0])
})
