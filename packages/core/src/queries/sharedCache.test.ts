import { QueryClient } from '@tanstack/query-core'
import { describe, expect, it } from 'vitest'
import { address, balance, balancesResponse } from '../../test/balances.ts'
import { advance, record } from '../../test/clientsInFakeTime.ts'
import { json, never, rejectWith } from '../../test/createFakeService.ts'
import { responsesInFakeTime } from '../../test/responsesInFakeTime.ts'
import { waitForChange } from '../changes/waitForChange.ts'
import { balancesQueryOptions, watchBalances } from '../operations/balances.ts'
import { watchPrice } from '../prices/watchPrices.ts'

const { service, create, watch } = responsesInFakeTime()
const respond = (count: number) => json(balancesResponse(balance({ amount: String(count) })))

describe.each([false, 10_000] as const)(
  'with two clients on one cache and refetchInterval %s, the second client',
  (refetchInterval) => {
    const watchTwice = () => {
      const queryClient = new QueryClient()
      const first = watch(create({ queryClient }), { refetchInterval })
      return { first, second: watch(create({ queryClient }), { refetchInterval }) }
    }

    it('fetches when the first is destroyed before its first response', async () => {
      service.respond = (count) => (count === 1 ? never() : respond(count))
      const { first, second } = watchTwice()
      await advance(200)
      first.client.destroy()
      await advance(0)
      expect(second.emitted.map(({ status }) => status)).toEqual(['pending', 'success'])
      expect(service.requests).toHaveLength(2)
      await advance(9000)
      expect(service.requests).toHaveLength(2)
    })

    it('fetches when the first is destroyed during a refetch', async () => {
      const { first, second } = watchTwice()
      await advance(1000)
      service.respond = (count) => (count === 2 ? never() : respond(count))
      void first.emitted.at(-1)?.refetch()
      await advance(200)
      first.client.destroy()
      await advance(0)
      expect(second.emitted.map(({ status }) => status)).toEqual(['pending', 'success', 'success'])
      expect(second.amounts().at(-1)).toBe('3')
      expect(service.requests).toHaveLength(3)
    })

    it('fetches when the cache contains the DestroyedError of the first', async () => {
      const queryClient = new QueryClient()
      const destroyed = create({ queryClient })
      destroyed.destroy()
      await expect(
        queryClient.fetchQuery(balancesQueryOptions(destroyed, { address })),
      ).rejects.toMatchObject({ shortMessage: 'The client was destroyed.' })
      const { emitted } = watch(create({ queryClient }), { refetchInterval })
      await advance(0)
      expect(emitted.map(({ status }) => status)).toEqual(['pending', 'success'])
      expect(service.requests).toHaveLength(1)
    })

    it('fetches when its query is invalidated with the query function of the first', async () => {
      const { first, second } = watchTwice()
      await advance(1000)
      await first.emitted.at(-1)?.refetch()
      first.client.destroy()
      await second.queryClient.invalidateQueries()
      await advance(0)
      expect(second.emitted.every(({ error }) => error === null)).toBe(true)
      expect(second.amounts().at(-1)).toBe('3')
    })
  },
)

it('a disabled stream does not fetch when the other client is destroyed', async () => {
  const queryClient = new QueryClient()
  service.respond = never
  const first = watch(create({ queryClient }))
  const second = watch(create({ queryClient }), { enabled: false })
  await advance(200)
  first.client.destroy()
  await advance(60_000)
  expect(second.emitted.at(-1)?.status).toBe('pending')
  expect(service.requests).toHaveLength(1)
})

it('a stream recovers when a destroyed client fetched during a poll', async () => {
  const queryClient = new QueryClient()
  const destroyed = create({ queryClient })
  destroyed.destroy()
  const { amounts } = watch(create({ queryClient }))
  await advance(1000)
  service.respond = (count) =>
    new Promise((resolve) => setTimeout(() => resolve(respond(count)), 500))
  await advance(9200)
  await expect(
    queryClient.fetchQuery(balancesQueryOptions(destroyed, { address })),
  ).rejects.toMatchObject({ shortMessage: 'The client was destroyed.' })
  await advance(600)
  expect(amounts()).toEqual([undefined, '1', '3'])
  await advance(11_000)
  expect(amounts()).toEqual([undefined, '1', '3', '4'])
})

it('works on a cache with hashes of the app', async () => {
  const queryKeyHashFn = (queryKey: readonly unknown[]) => `own ${JSON.stringify(queryKey)}`
  const queryClient = new QueryClient({ defaultOptions: { queries: { queryKeyHashFn } } })
  const client = create({ queryClient })
  service.respond = (count) =>
    json(balancesResponse(balance({ amount: String(count), price_usd: count })))
  const { emitted } = record(watchBalances(client, { address }))
  const prices = record(watchPrice(client, { chainId: 31337, address: 'native' }))
  await advance(100)
  expect(emitted.at(-1)?.data?.[0]?.amount).toBe('1')
  await advance(10_000)
  expect(emitted.at(-1)?.data?.[0]?.amount).toBe('2')
  expect(prices.emitted.at(-1)?.data?.price_usd).toBe(2)
  expect(service.requests).toHaveLength(2)
  const query = balancesQueryOptions(client, { address })
  expect(queryClient.getQueryData(query.queryKey)?.balances).toHaveLength(1)
  const changed = waitForChange(client, query)
  await advance(100)
  await expect(changed).resolves.toMatchObject({ reason: 'changed', previous: { balances: [{}] } })
})

it('fetches with a new key what failed with the previous one, once', async () => {
  const queryClient = new QueryClient()
  service.respond = rejectWith(401)
  const previous = watch(create({ queryClient, apiKey: 'revoked' }), {})
  await advance(100)
  expect(previous.emitted.at(-1)?.status).toBe('error')
  previous.subscription.unsubscribe()
  // Also wrong at first.
  const client = create({ queryClient, apiKey: 'new' })
  for (const expected of [2, 2]) {
    const { emitted, subscription } = watch(client, {})
    await advance(100)
    expect(emitted.at(-1)?.status).toBe('error')
    expect(service.requests).toHaveLength(expected)
    subscription.unsubscribe()
    await advance(1000)
  }
  service.respond = respond
  const { emitted } = watch(create({ queryClient, apiKey: 'newer' }), {})
  await advance(100)
  expect(emitted.at(-1)?.status).toBe('success')
})
