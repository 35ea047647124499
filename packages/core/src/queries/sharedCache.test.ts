import { QueryClient } from '@tanstack/query-core'
import { describe, expect, it } from 'vitest'
import { address, balance, balancesResponse } from '../../test/balances.ts'
import { pass } from '../../test/clientsInFakeTime.ts'
import { json, never } from '../../test/createFakeService.ts'
import { responsesInFakeTime } from '../../test/responsesInFakeTime.ts'
import { balancesQueryOptions } from '../operations/balances.ts'

const { service, create, watch } = responsesInFakeTime()
const answer = (count: number) => json(balancesResponse(balance({ amount: String(count) })))

describe.each([false, 10_000] as const)(
  'of two clients on one cache that poll at %s, the second one',
  (refetchInterval) => {
    const watchTwice = () => {
      const queryClient = new QueryClient()
      const first = watch(create({ queryClient }), { refetchInterval })
      return { first, second: watch(create({ queryClient }), { refetchInterval }) }
    }

    it('asks for itself when the first is destroyed before it had an answer', async () => {
      service.answer = (count) => (count === 1 ? never() : answer(count))
      const { first, second } = watchTwice()
      await pass(200)
      first.client.destroy()
      await pass(0)
      expect(second.seen.map(({ status }) => status)).toEqual(['pending', 'success'])
      expect(service.asked).toHaveLength(2)
      await pass(9000)
      expect(service.asked).toHaveLength(2)
    })

    it('asks for itself when the first is destroyed while it refetches', async () => {
      const { first, second } = watchTwice()
      await pass(1000)
      service.answer = (count) => (count === 2 ? never() : answer(count))
      void first.seen.at(-1)?.refetch()
      await pass(200)
      first.client.destroy()
      await pass(0)
      expect(second.seen.map(({ status }) => status)).toEqual(['pending', 'success', 'success'])
      expect(second.amounts().at(-1)).toBe('3')
      expect(service.asked).toHaveLength(3)
    })

    it('asks for itself when what the first left in the cache is that it was destroyed', async () => {
      const queryClient = new QueryClient()
      const gone = create({ queryClient })
      gone.destroy()
      await expect(
        queryClient.fetchQuery(balancesQueryOptions(gone, { address })),
      ).rejects.toMatchObject({ shortMessage: 'The client was destroyed.' })
      const { seen } = watch(create({ queryClient }), { refetchInterval })
      await pass(0)
      expect(seen.map(({ status }) => status)).toEqual(['pending', 'success'])
      expect(service.asked).toHaveLength(1)
    })

    it('asks for itself when it is invalidated with the options of the first', async () => {
      const { first, second } = watchTwice()
      await pass(1000)
      await first.seen.at(-1)?.refetch()
      first.client.destroy()
      await second.queryClient.invalidateQueries()
      await pass(0)
      expect(second.seen.every(({ error }) => error === null)).toBe(true)
      expect(second.amounts().at(-1)).toBe('3')
    })
  },
)

it('a stream that is not enabled asks for nothing in the place of another client', async () => {
  const queryClient = new QueryClient()
  service.answer = never
  const first = watch(create({ queryClient }))
  const second = watch(create({ queryClient }), { enabled: false })
  await pass(200)
  first.client.destroy()
  await pass(60_000)
  expect(second.seen.at(-1)?.status).toBe('pending')
  expect(service.asked).toHaveLength(1)
})

it('a stream asks again when a client that is gone was asked while a poll was under way', async () => {
  const queryClient = new QueryClient()
  const gone = create({ queryClient })
  gone.destroy()
  const { amounts } = watch(create({ queryClient }))
  await pass(1000)
  service.answer = (count) =>
    new Promise((resolve) => setTimeout(() => resolve(answer(count)), 500))
  await pass(9200)
  await expect(
    queryClient.fetchQuery(balancesQueryOptions(gone, { address })),
  ).rejects.toMatchObject({ shortMessage: 'The client was destroyed.' })
  await pass(600)
  expect(amounts()).toEqual([undefined, '1', '3'])
  await pass(11_000)
  expect(amounts()).toEqual([undefined, '1', '3', '4'])
})
