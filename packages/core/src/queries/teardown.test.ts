import { focusManager, onlineManager, QueryClient, QueryObserver } from '@tanstack/query-core'
import { describe, expect, it, vi } from 'vitest'
import { allStreams } from '../../test/allStreams.ts'
import {
  address,
  balance,
  balancesResponse,
  numberedAddress,
  otherAddress,
} from '../../test/balances.ts'
import { advance, record } from '../../test/clientsInFakeTime.ts'
import { json, never } from '../../test/createFakeService.ts'
import { responsesInFakeTime } from '../../test/responsesInFakeTime.ts'
import { watchResponses } from '../../test/watchResponses.ts'
import { balancesQueryOptions } from '../operations/balances.ts'
import { watchPortfolio } from '../portfolio/watchPortfolio.ts'
import { watchPrice } from '../prices/watchPrices.ts'
import { firstSettled } from '../snapshots/firstSettled.ts'
import type { SnapshotStream } from '../snapshots/Snapshot.ts'
import { SnapshotReader } from '../snapshots/SnapshotReader.ts'

const { service, create, watch } = responsesInFakeTime()

describe('teardown', () => {
  it('leaves no observer, listener or timer after many subscriptions', async () => {
    const client = create()
    for (let round = 0; round < 1000; round++) {
      watch(client, {}, { limit: 1 + (round % 50) }).subscription.unsubscribe()
    }
    await advance(1000)
    const cache = client.queryClient.getQueryCache()
    expect(cache.getAll().every((query) => query.getObserversCount() === 0)).toBe(true)
    expect(focusManager.hasListeners()).toBe(false)
    expect(onlineManager.hasListeners()).toBe(false)
    client.destroy()
    expect(vi.getTimerCount()).toBe(0)
  })

  it('happens after a grace period, so that a remount does not refetch', async () => {
    const client = create()
    service.respond = never
    watch(client).subscription.unsubscribe()
    await advance(50)
    const second = watch(client)
    await advance(1000)
    expect(service.requests).toHaveLength(1)
    expect(service.requests[0]?.signal.aborted).toBe(false)
    second.subscription.unsubscribe()
    await advance(1000)
    expect(service.requests[0]?.signal.aborted).toBe(true)
  })

  it('completes all streams and aborts their requests when the client is destroyed', async () => {
    const client = create()
    service.respond = never
    let completed = 0
    const complete = () => completed++
    const stream = watchResponses(client, { address })
    stream.subscribe({ complete })
    client.destroy()
    stream.subscribe({ complete })
    watchResponses(client, { address, limit: 2 }).subscribe({ complete })
    await advance(60_000)
    expect(completed).toBe(3)
    expect(service.requests).toHaveLength(1)
    expect(service.requests[0]?.signal.aborted).toBe(true)
    expect(vi.getTimerCount()).toBe(0)
  })

  it.each(Object.entries(allStreams))('is an error in %s without data', async (_name, watch) => {
    const client = create()
    const stream = watch(client, address, otherAddress)
    client.destroy()
    const destroyed = { status: 'error', data: undefined, error: { name: 'DestroyedError' } }
    const { emitted } = record(stream as SnapshotStream<unknown>)
    expect(emitted).toMatchObject([{ ...destroyed, fetchStatus: 'idle' }])
    expect(stream.getSnapshot()).toBe(stream.getSnapshot())
    expect(watch(client, address, numberedAddress(1)).getSnapshot()).toMatchObject(destroyed)
    await stream.getSnapshot().refetch()
    expect(await firstSettled(stream)).toMatchObject(destroyed)
    expect(service.requests).toHaveLength(0)
  })

  it('is not an error in streams with data, nor in those that are disabled', async () => {
    const client = create({ queryClient: new QueryClient() })
    const { stream } = watch(client)
    const disabled = watchResponses(client, { address, limit: 2 }, { enabled: false })
    await advance(0)
    client.destroy()
    expect(stream.getSnapshot()).toMatchObject({ status: 'success', error: null })
    expect(disabled.getSnapshot()).toMatchObject({ status: 'pending', error: null })
  })

  it('ends all polls when the client is destroyed, also under components that remain', async () => {
    const client = create()
    const pageOf = (offset: boolean) => ({
      ...balancesResponse(balance({ address: numberedAddress(Number(offset)) })),
      ...(!offset && { next_offset: 'next' }),
    })
    service.respond = () => json(pageOf(service.requests.at(-1)!.url.includes('offset')))
    const price = watchPrice(client, { chainId: 1, address: 'native' })
    const leave = [watchPortfolio(client, { address }), price].map((stream) =>
      new SnapshotReader(stream as SnapshotStream<unknown>).source.subscribe(() => undefined),
    )
    await advance(1000)
    client.destroy()
    const { length } = service.requests
    await advance(20 * 60_000)
    expect(service.requests).toHaveLength(length)
    expect(vi.getTimerCount()).toBe(0)
    leave.forEach((each) => each())
    await advance(1000)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('unmounts a shared query client once if a component leaves after it', async () => {
    const queryClient = new QueryClient()
    queryClient.mount()
    let fetchCount = 0
    const observer = new QueryObserver(queryClient, {
      queryKey: ['app'],
      queryFn: () => ++fetchCount,
      refetchOnWindowFocus: 'always',
    })
    const stop = observer.subscribe(() => undefined)
    const client = create({ queryClient })
    const { source } = new SnapshotReader(watchResponses(client, { address }))
    const leave = source.subscribe(() => undefined)
    await advance(1000)
    client.destroy()
    leave()
    await advance(1000)
    fetchCount = 0
    focusManager.setFocused(true)
    await advance(0)
    expect(fetchCount).toBe(1)
    stop()
    queryClient.unmount()
  })

  it('includes streams that were evicted from the registry', async () => {
    const client = create()
    const evicted = [1, 2].map((limit) => watchResponses(client, { address, limit }))
    for (let limit = 3; limit <= 203; limit++) {
      watchResponses(client, { address, limit })
    }
    let completed = 0
    const complete = () => completed++
    // This stream was replaced by an equal one before it had a subscriber.
    watchResponses(client, { address, limit: 1 }).subscribe({ complete })
    evicted[0]?.subscribe({ complete })
    client.destroy()
    evicted[1]?.subscribe({ complete })
    expect(completed).toBe(3)
    await advance(20_000)
    expect(service.requests).toHaveLength(1)
  })

  it('does not prevent refetch of a stream without subscribers', async () => {
    const client = create()
    const stream = watchResponses(client, { address })
    await stream.getSnapshot().refetch()
    expect(stream.getSnapshot()).toMatchObject({ status: 'success' })
    const { queryKey } = balancesQueryOptions(client, { address })
    expect(client.queryClient.getQueryData(queryKey)).toBe(stream.getSnapshot().data)
  })
})
