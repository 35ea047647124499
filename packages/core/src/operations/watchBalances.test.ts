import { QueryClient } from '@tanstack/query-core'
import { combineLatest, take } from 'rxjs'
import { describe, expect, it, vi } from 'vitest'
import { address, balance, balancesResponse, otherAddress } from '../../test/balances.ts'
import { pass, record } from '../../test/clientsInFakeTime.ts'
import { json, refusing } from '../../test/createFakeService.ts'
import { serviceInFakeTime } from '../../test/serviceInFakeTime.ts'
import type { Balance } from '../index.ts'
import { balancesQueryOptions, watchBalances } from './balances.ts'

const { service, create } = serviceInFakeTime()
const unchanged = () => json(balancesResponse(balance()))

describe('a stream', () => {
  it('is cold, and shows a pending snapshot or what the cache knows', async () => {
    const client = create()
    const stream = watchBalances(client, { address })
    expect(stream.getSnapshot()).toMatchObject({ status: 'pending', data: undefined, error: null })
    expect(stream.getSnapshot()).toBe(stream.getSnapshot())
    await pass(60_000)
    expect(service.asked).toHaveLength(0)
    await client.queryClient.prefetchQuery(balancesQueryOptions(client, { address }))
    expect(stream.getSnapshot()).toMatchObject({ status: 'success' })
    expect(stream.getSnapshot()).toBe(stream.getSnapshot())
  })

  it('replays its newest snapshot synchronously', async () => {
    const stream = watchBalances(create(), { address })
    const first = record(stream)
    expect(first.seen.map(({ status }) => status)).toEqual(['pending'])
    await pass(0)
    expect(first.seen.map(({ status }) => status)).toEqual(['pending', 'success'])
    const second = record(stream)
    expect(second.seen).toEqual([first.seen[1]])
    expect(second.seen[0]).toBe(stream.getSnapshot())
  })

  it('is the same for equal parameters and options, also when it was listened to', async () => {
    const client = create()
    const select = (rows: readonly Balance[]) => rows.length
    const watch = (parameters: object = {}, options = {}) =>
      watchBalances(client, { address, ...parameters }, { select, ...options })
    const stream = watch()
    expect(watch({ filters: undefined })).toBe(stream)
    expect(watch({ address: `0x${address.slice(2).toUpperCase()}` })).toBe(stream)
    expect(watch({ filters: 'native' })).not.toBe(stream)
    expect(watch({}, { pageSize: 10 })).not.toBe(stream)
    expect(watch({}, { maxPages: 10 })).not.toBe(stream)
    expect(watch({}, { enabled: false })).not.toBe(stream)
    expect(watch({}, { select: (rows: readonly Balance[]) => rows })).not.toBe(stream)
    const { subscription } = record(stream)
    expect(watch()).toBe(stream)
    subscription.unsubscribe()
    expect(watch()).toBe(stream)
    await pass(1000)
    expect(watch()).toBe(stream)
  })

  it('does not remember for ever what nobody listens to', () => {
    const client = create()
    const stream = watchBalances(client, { address })
    for (let chain = 1; chain <= 200; chain++) {
      watchBalances(client, { address, chainIds: [chain] })
    }
    expect(watchBalances(client, { address })).not.toBe(stream)
  })

  it('asks once for a thousand subscribers', async () => {
    service.answer = unchanged
    const stream = watchBalances(create(), { address })
    const recordings = Array.from({ length: 1000 }, () => record(stream))
    await pass(0)
    expect(service.asked).toHaveLength(1)
    expect(recordings.every(({ seen }) => seen.length === 2)).toBe(true)
    await pass(10_100)
    expect(service.asked).toHaveLength(2)
    expect(recordings.every(({ seen }) => seen.length === 2)).toBe(true)
  })

  it('shares the request with streams that look at it otherwise', async () => {
    const client = create()
    const one = record(watchBalances(client, { address }))
    const two = record(watchBalances(client, { address }, { select: (rows) => rows[0]?.amount }))
    await pass(0)
    expect(service.asked).toHaveLength(1)
    expect(two.seen.at(-1)).toMatchObject({ data: '1' })
    await pass(10_100)
    expect(service.asked).toHaveLength(2)
    expect(one.seen).toHaveLength(3)
    expect(two.seen.at(-1)).toMatchObject({ data: '2' })
  })

  it('emits nothing when only the times of the answer changed', async () => {
    service.answer = (count) =>
      json({ ...balancesResponse(balance()), request_time: `${count}`, response_time: `${count}` })
    const { seen } = record(watchBalances(create(), { address }))
    await pass(50_000)
    expect(service.asked.length).toBeGreaterThan(3)
    expect(seen).toHaveLength(2)
  })

  it('keeps the identity of what did not change', async () => {
    service.answer = (count) =>
      json(balancesResponse(balance(), balance({ address: otherAddress, amount: String(count) })))
    const { seen } = record(watchBalances(create(), { address }))
    await pass(10_100)
    const [, first, second] = seen
    expect(second?.data?.[0]).toBe(first?.data?.[0])
    expect(second?.data?.[1]).not.toBe(first?.data?.[1])
  })

  it('lets a subscriber leave while it is told', async () => {
    const stream = watchBalances(create(), { address })
    const seen: string[] = []
    stream.pipe(take(1)).subscribe(({ status }) => void seen.push(status))
    await pass(1000)
    expect(seen).toEqual(['pending'])
    expect(vi.getTimerCount()).toBe(0)
  })

  it('shows the newest to all, also when a subscriber changes it while it is told', async () => {
    const client = create()
    const stream = watchBalances(client, { address })
    const { queryKey } = balancesQueryOptions(client, { address })
    stream.subscribe(({ data }) => {
      if (data?.[0]?.amount === '1') {
        client.queryClient.setQueryData(queryKey, balancesResponse())
      }
    })
    const { seen } = record(stream)
    await pass(0)
    expect(seen.map(({ data }) => data?.length)).toEqual([undefined, 0])
  })

  it('is found again while somebody listens, also after it was forgotten', () => {
    const client = create()
    const watch = () => watchBalances(client, { address })
    const forgotten = watch()
    for (let chain = 1; chain <= 200; chain++) {
      watchBalances(client, { address, chainIds: [chain] })
    }
    const { subscription } = record(watch())
    record(forgotten)
    subscription.unsubscribe()
    expect(watch()).toBe(forgotten)
  })

  it('can be combined', async () => {
    const client = create()
    const seen: string[] = []
    const subscription = combineLatest([
      watchBalances(client, { address }),
      watchBalances(client, { address: 'wrong' }),
    ]).subscribe((snapshots) => void seen.push(snapshots.map(({ status }) => status).join()))
    await pass(0)
    subscription.unsubscribe()
    expect(seen).toEqual(['pending,error', 'success,error'])
  })
})

describe('options', () => {
  it('select runs once an answer and emits only what changed of it', async () => {
    service.answer = (count) => json(balancesResponse(balance({ price_usd: count })))
    let runs = 0
    const select = (rows: readonly Balance[]) => {
      runs++
      return rows.map(({ amount }) => amount)
    }
    const { seen } = record(watchBalances(create(), { address }, { select }))
    await pass(20_300)
    expect(service.asked).toHaveLength(3)
    expect(runs).toBe(3)
    expect(seen.map(({ data }) => data)).toEqual([undefined, ['1']])
    service.answer = refusing(404)
    await pass(10_000)
    expect(seen.at(-1)).toMatchObject({ status: 'error', data: ['1'] })
    expect(runs).toBe(3)
  })

  it('a select that throws is an error in the snapshot', async () => {
    const cause = new TypeError('bug')
    const select = () => {
      throw cause
    }
    const { seen } = record(watchBalances(create(), { address }, { select }))
    await pass(0)
    expect(seen.at(-1)).toMatchObject({ status: 'error', error: { cause } })
  })

  it('placeholderData shows until the first answer, through select', async () => {
    const placeholderData = [balance({ amount: '7' })]
    const select = (rows: readonly Balance[]) => rows[0]?.amount
    const { seen } = record(watchBalances(create(), { address }, { placeholderData, select }))
    await pass(0)
    expect(
      seen.map(({ status, data, isPlaceholderData }) => [status, data, isPlaceholderData]),
    ).toEqual([
      ['success', '7', true],
      ['success', '1', false],
    ])
    const none = watchBalances(create(), { address }, { placeholderData: () => undefined })
    expect(none.getSnapshot()).toMatchObject({ status: 'pending', isPlaceholderData: false })
  })

  it('a stream that is not enabled never asks, until refetch', async () => {
    const { seen } = record(watchBalances(create(), { address }, { enabled: false }))
    await pass(60_000)
    expect(service.asked).toHaveLength(0)
    expect(seen).toHaveLength(1)
    await seen[0]?.refetch()
    expect(seen.at(-1)).toMatchObject({ status: 'success' })
    await pass(60_000)
    expect(service.asked).toHaveLength(1)
  })

  it('an enabled stream joins one that is not, and leaves it', async () => {
    const client = create()
    record(watchBalances(client, { address }, { enabled: false }))
    const enabled = record(watchBalances(client, { address }))
    await pass(0)
    expect(service.asked).toHaveLength(1)
    await client.queryClient.invalidateQueries()
    expect(service.asked).toHaveLength(2)
    enabled.subscription.unsubscribe()
    await pass(60_000)
    await client.queryClient.invalidateQueries()
    expect(service.asked).toHaveLength(2)
  })

  it('staleTime is the interval, unless it or the default of the query client is given', async () => {
    const visit = async (options: object, clientOptions = {}) => {
      service.asked.length = 0
      const client = create(clientOptions)
      record(watchBalances(client, { address }, options)).subscription.unsubscribe()
      record(watchBalances(client, { address }, options))
      await pass(0)
      await pass(200)
      record(watchBalances(client, { address }, { ...options, gcTime: 1e6 }))
      await pass(0)
      client.destroy()
      return service.asked.length
    }
    expect(await visit({})).toBe(1)
    expect(await visit({ staleTime: 0 })).toBe(2)
    expect(await visit({ refetchInterval: false })).toBe(2)
    expect(await visit({ refetchInterval: false, staleTime: 1000 })).toBe(1)
    const queryClient = new QueryClient({ defaultOptions: { queries: { staleTime: 0 } } })
    expect(await visit({}, { queryClient })).toBe(2)
  })

  it('a stream that takes the place of another asks nothing anew', async () => {
    const client = create()
    const options = { staleTime: 0 }
    record(watchBalances(client, { address }, options))
    let last = record(watchBalances(client, { address }, { ...options, select: () => 0 }))
    await pass(1000)
    for (let render = 1; render <= 10; render++) {
      last.subscription.unsubscribe()
      last = record(watchBalances(client, { address }, { ...options, select: () => render }))
      await pass(200)
    }
    expect(last.seen.at(-1)).toMatchObject({ data: 10 })
    expect(service.asked).toHaveLength(1)
    record(watchBalances(client, { address }, { ...options, select: () => 11 }))
    expect(service.asked).toHaveLength(2)
  })

  it('wrong parameters are an error in the snapshot and send nothing', async () => {
    const client = create()
    for (const wrong of [
      { address: '0x1' },
      { chainIds: [] },
      { chainIds: [5n] },
      { chainID: 1 },
    ]) {
      const stream = watchBalances(client, { address, ...wrong } as never)
      const { seen } = record(stream)
      await seen[0]?.refetch()
      await pass(60_000)
      expect(seen).toHaveLength(1)
      expect(seen[0]).toMatchObject({ status: 'error', error: { name: 'InvalidParameterError' } })
      expect(stream.getSnapshot()).toBe(seen[0])
    }
    expect(service.asked).toHaveLength(0)
    const waiting = watchBalances(client, { address: '' }, { enabled: false })
    expect(waiting.getSnapshot()).toMatchObject({ status: 'pending' })
  })
})
