import { afterEach, expect, test } from 'vitest'
import { effectScope, nextTick, shallowRef, watch } from 'vue'
import { type Client, createClient, getBalances } from '@headwater/core'
import { createFakeService } from '@headwater/testing'
import { useUsage } from './index.ts'

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
  const scope = effectScope()
  const usage = scope.run(() => {
    const usage = useUsage({ client })
    watch(usage, ({ spent }) => void seen.push(spent), { flush: 'sync' })
    return usage
  })!
  await nextTick()
  expect(usage.value).toEqual({ spent: 0, byOperation: {}, byMinute: [], remaining: undefined })
  await request(client)
  await request(client)
  service.fail({ status: 401, times: 1 })
  await request(client).catch(() => {})
  expect(seen).toEqual([2, 4])
  expect(usage.value).toBe(client.getUsage())
  scope.stop()
  await request(client)
  expect(seen).toEqual([2, 4])
})

test('uses the current client', async () => {
  const first = create()
  const second = create()
  await request(first)
  const options = shallowRef({ client: first })
  const scope = effectScope()
  const usage = scope.run(() => useUsage(options))!
  expect(usage.value.spent).toBe(2)
  options.value = { client: second }
  expect(usage.value.spent).toBe(0)
  await nextTick()
  await request(second)
  expect(usage.value.spent).toBe(2)
  scope.stop()
})

test('is zero on a server', async () => {
  const client = create(true)
  await request(client)
  expect(effectScope().run(() => useUsage({ client }))!.value.spent).toBe(0)
})
