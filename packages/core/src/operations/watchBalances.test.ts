import { QueryClient } from '@tanstack/query-core'
import { combineLatest, take } from 'rxjs'
import { describe, expect, it, vi } from 'vitest'
import { address, balance, balancesResponse, otherAddress } from '../../test/balances.ts'
import { advance, record } from '../../test/clientsInFakeTime.ts'
import { json, rejectWith } from '../../test/createFakeService.ts'
import { serviceInFakeTime } from '../../test/serviceInFakeTime.ts'
import type { Balance } from '../index.ts'
import { balancesQueryOptions, watchBalances } from './balances.ts'

const { service, create } = serviceInFakeTime()
const unchanged = () => json(balancesResponse(balance()))

describe('a stream', () => {
  it('is lazy, and starts with a pending snapshot or cached data', async () => {
    const client = create()
    const stream = watchBalances(client, { address })
    expect(stream.getSnapshot()).toMatchObject({ status: 'pending', data: undefined, error: null })
    expect(stream.getSnapshot()).toBe(stream.getSnapshot())
    await advance(60_000)
    expect(service.requests).toHaveLength(0)
    await client.queryClient.prefetchQuery(balancesQueryOptions(client, { address }))
    expect(stream.getSnapshot()).toMatchObject({ status: 'success' })
    expect(stream.getSnapshot()).toBe(stream.getSnapshot())
  })

  it('replays its latest snapshot synchronously', async () => {
    const stream = watchBalances(create(), { address })
    const first = record(stream)
    expect(first.emitted.map(({ status }) => status)).toEqual(['pending'])
    await advance(0)
    expect(first.emitted.map(({ status }) => status)).toEqual(['pending', 'success'])
    const second = record(stream)
    expect(second.emitted).toEqual([first.emitted[1]])
    expect(second.emitted[0]).toBe(stream.getSnapshot())
  })

  it('is the same object for equal parameters and options, also with subscribers', async () => {
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
    await advance(1000)
    expect(watch()).toBe(stream)
  })

  it('is evicted from the registry without subscribers', () => {
    const client = create()
    const stream = watchBalances(client, { address })
    for (let chain = 1; chain <= 200; chain++) {
      watchBalances(client, { address, chainIds: [chain] })
    }
    expect(watchBalances(client, { address })).not.toBe(stream)
  })

  it('sends one request for a thousand subscribers', async () => {
    service.respond = unchanged
    const stream = watchBalances(create(), { address })
    const recordings = Array.from({ length: 1000 }, () => record(stream))
    await advance(0)
    expect(service.requests).toHaveLength(1)
    expect(recordings.every(({ emitted }) => emitted.length === 2)).toBe(true)
    await advance(10_100)
    expect(service.requests).toHaveLength(2)
    expect(recordings.every(({ emitted }) => emitted.length === 2)).toBe(true)
  })

  it('shares requests with streams of other options', async () => {
    const client = create()
    const one = record(watchBalances(client, { address }))
    const two = record(watchBalances(client, { address }, { select: (rows) => rows[0]?.amount }))
    await advance(0)
    expect(service.requests).toHaveLength(1)
    expect(two.emitted.at(-1)).toMatchObject({ data: '1' })
    await advance(10_100)
    expect(service.requests).toHaveLength(2)
    expect(one.emitted).toHaveLength(3)
    expect(two.emitted.at(-1)).toMatchObject({ data: '2' })
  })

  it('emits nothing when only timestamps changed', async () => {
    service.respond = (count) =>
      json({ ...balancesResponse(balance()), request_time: `${count}`, response_time: `${count}` })
    const { emitted } = record(watchBalances(create(), { address }))
    await advance(50_000)
    expect(service.requests.length).toBeGreaterThan(3)
    expect(emitted).toHaveLength(2)
  })

  it('keeps the identity of unchanged data', async () => {
    service.respond = (count) =>
      json(balancesResponse(balance(), balance({ address: otherAddress, amount: String(count) })))
    const { emitted } = record(watchBalances(create(), { address }))
    await advance(10_100)
    const [, first, second] = emitted
    expect(second?.data?.[0]).toBe(first?.data?.[0])
    expect(second?.data?.[1]).not.toBe(first?.data?.[1])
  })

  it('allows unsubscribing during an emission', async () => {
    const stream = watchBalances(create(), { address })
    const emitted: string[] = []
    stream.pipe(take(1)).subscribe(({ status }) => void emitted.push(status))
    await advance(1000)
    expect(emitted).toEqual(['pending'])
    expect(vi.getTimerCount()).toBe(0)
  })

  it('emits the latest snapshot to all when a subscriber changes it during an emission', async () => {
    const client = create()
    const stream = watchBalances(client, { address })
    const { queryKey } = balancesQueryOptions(client, { address })
    stream.subscribe(({ data }) => {
      if (data?.[0]?.amount === '1') {
        client.queryClient.setQueryData(queryKey, balancesResponse())
      }
    })
    const { emitted } = record(stream)
    await advance(0)
    expect(emitted.map(({ data }) => data?.length)).toEqual([undefined, 0])
  })

  it('is found again while it has subscribers, also after its eviction', () => {
    const client = create()
    const watch = () => watchBalances(client, { address })
    const evicted = watch()
    for (let chain = 1; chain <= 200; chain++) {
      watchBalances(client, { address, chainIds: [chain] })
    }
    const { subscription } = record(watch())
    record(evicted)
    subscription.unsubscribe()
    expect(watch()).toBe(evicted)
  })

  it('can be combined', async () => {
    const client = create()
    const emitted: string[] = []
    const subscription = combineLatest([
      watchBalances(client, { address }),
      watchBalances(client, { address: 'wrong' }),
    ]).subscribe((snapshots) => void emitted.push(snapshots.map(({ status }) => status).join()))
    await advance(0)
    subscription.unsubscribe()
    expect(emitted).toEqual(['pending,error', 'success,error'])
  })
})

describe('options', () => {
  it('select runs once per response and emits only on a changed result', async () => {
    service.respond = (count) => json(balancesResponse(balance({ price_usd: count })))
    let runs = 0
    const select = (rows: readonly Balance[]) => {
      runs++
      return rows.map(({ amount }) => amount)
    }
    const { emitted } = record(watchBalances(create(), { address }, { select }))
    await advance(20_300)
    expect(service.requests).toHaveLength(3)
    expect(runs).toBe(3)
    expect(emitted.map(({ data }) => data)).toEqual([undefined, ['1']])
    service.respond = rejectWith(404)
    await advance(10_000)
    expect(emitted.at(-1)).toMatchObject({ status: 'error', data: ['1'] })
    expect(runs).toBe(3)
  })

  it('a select that throws is an error in the snapshot', async () => {
    const cause = new TypeError('bug')
    const select = () => {
      throw cause
    }
    const { emitted } = record(watchBalances(create(), { address }, { select }))
    await advance(0)
    expect(emitted.at(-1)).toMatchObject({ status: 'error', error: { cause } })
  })

  it('placeholderData is displayed until the first response, through select', async () => {
    const placeholderData = [balance({ amount: '7' })]
    const select = (rows: readonly Balance[]) => rows[0]?.amount
    const { emitted } = record(watchBalances(create(), { address }, { placeholderData, select }))
    await advance(0)
    expect(
      emitted.map(({ status, data, isPlaceholderData }) => [status, data, isPlaceholderData]),
    ).toEqual([
      ['success', '7', true],
      ['success', '1', false],
    ])
    const none = watchBalances(create(), { address }, { placeholderData: () => undefined })
    expect(none.getSnapshot()).toMatchObject({ status: 'pending', isPlaceholderData: false })
  })

  it('a disabled stream does not fetch until refetch', async () => {
    const { emitted } = record(watchBalances(create(), { address }, { enabled: false }))
    await advance(60_000)
    expect(service.requests).toHaveLength(0)
    expect(emitted).toHaveLength(1)
    await emitted[0]?.refetch()
    expect(emitted.at(-1)).toMatchObject({ status: 'success' })
    await advance(60_000)
    expect(service.requests).toHaveLength(1)
  })

  it('an enabled stream joins and leaves a disabled one', async () => {
    const client = create()
    record(watchBalances(client, { address }, { enabled: false }))
    const enabled = record(watchBalances(client, { address }))
    await advance(0)
    expect(service.requests).toHaveLength(1)
    await client.queryClient.invalidateQueries()
    expect(service.requests).toHaveLength(2)
    enabled.subscription.unsubscribe()
    await advance(60_000)
    await client.queryClient.invalidateQueries()
    expect(service.requests).toHaveLength(2)
  })

  it('staleTime defaults to the interval, unless it or a default of the query client is set', async () => {
    const visit = async (options: object, clientOptions = {}) => {
      service.requests.length = 0
      const client = create(clientOptions)
      record(watchBalances(client, { address }, options)).subscription.unsubscribe()
      record(watchBalances(client, { address }, options))
      await advance(0)
      await advance(200)
      record(watchBalances(client, { address }, { ...options, gcTime: 1e6 }))
      await advance(0)
      client.destroy()
      return service.requests.length
    }
    expect(await visit({})).toBe(1)
    expect(await visit({ staleTime: 0 })).toBe(2)
    expect(await visit({ refetchInterval: false })).toBe(2)
    expect(await visit({ refetchInterval: false, staleTime: 1000 })).toBe(1)
    const queryClient = new QueryClient({ defaultOptions: { queries: { staleTime: 0 } } })
    expect(await visit({}, { queryClient })).toBe(2)
  })

  it('a stream that replaces another one refetches an old response only', async () => {
    const client = create()
    // A new function is another stream, as with inline options of a component that renders.
    const replace = (previous?: ReturnType<typeof record>) => {
      previous?.subscription.unsubscribe()
      const options = { staleTime: 0, refetchInterval: false as const, retry: () => false }
      return record(watchBalances(client, { address }, options))
    }
    let last = replace()
    await advance(1000)
    for (let render = 1; render <= 10; render++) {
      last = replace(last)
      await advance(200)
    }
    expect(service.requests).toHaveLength(1)
    await advance(10_000)
    last = replace(last)
    await advance(0)
    expect(service.requests).toHaveLength(2)
    service.respond = rejectWith(500)
    await advance(10_000)
    last = replace(last)
    await advance(0)
    for (let render = 1; render <= 10; render++) {
      last = replace(last)
      await advance(200)
    }
    expect(last.emitted.at(-1)).toMatchObject({ status: 'error' })
    expect(service.requests).toHaveLength(3)
  })

  it('invalid parameters are an error in the snapshot and send nothing', async () => {
    const client = create()
    for (const wrong of [
      { address: '0x1' },
      { chainIds: [] },
      { chainIds: [5n] },
      { chainID: 1 },
    ]) {
      const stream = watchBalances(client, { address, ...wrong } as never)
      const { emitted } = record(stream)
      await emitted[0]?.refetch()
      await advance(60_000)
      expect(emitted).toHaveLength(1)
      expect(emitted[0]).toMatchObject({
        status: 'error',
        error: { name: 'InvalidParameterError' },
      })
      expect(stream.getSnapshot()).toBe(emitted[0])
    }
    expect(service.requests).toHaveLength(0)
    const waiting = watchBalances(client, { address: '' }, { enabled: false })
    expect(waiting.getSnapshot()).toMatchObject({ status: 'pending' })
  })
})
