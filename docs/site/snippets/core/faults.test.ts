import { createClient, firstSettled, watchBalances } from '@headwater/core'
import { createFakeService } from '@headwater/testing'
import { expect, test } from 'vitest'

test('a rejected key is reported once, without a retry', async () => {
  const service = createFakeService()
  const client = createClient({ baseUrl: service.url, apiKey: 'wrong', fetch: service.fetch })
  const { address } = service.wallet('everyday')
  const { status, error } = await firstSettled(watchBalances(client, { address }))
  expect(status).toBe('error')
  expect(error).toMatchObject({ name: 'HttpError', status: 401 })
  expect(service.requests).toHaveLength(1)
  client.destroy()
})

test('the rows stay while the service limits requests', async () => {
  const service = createFakeService()
  const client = createClient({ baseUrl: service.url, apiKey: service.key, fetch: service.fetch })
  const balances = watchBalances(client, { address: service.wallet('everyday').address })
  const subscription = balances.subscribe()
  await firstSettled(balances)
  service.fail({ status: 429, retryAfter: 2 })
  await balances.getSnapshot().refetch()
  const { data, error } = balances.getSnapshot()
  expect(data?.length).toBeGreaterThan(0)
  expect(error).toMatchObject({ status: 429 })
  subscription.unsubscribe()
  client.destroy()
})
