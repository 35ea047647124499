import { QueryObserver } from '@tanstack/query-core'
import { describe, expect, it } from 'vitest'
import { address } from '../../test/balances.ts'
import { advance } from '../../test/clientsInFakeTime.ts'
import { responsesInFakeTime } from '../../test/responsesInFakeTime.ts'
import {
  balancesQueryOptions,
  type Client,
  firstSettled,
  skipToken,
  type SnapshotStream,
  watchBalances,
  watchCollectibles,
  watchPortfolio,
  watchPrice,
  watchPrices,
  watchTokenBalance,
  watchTokenHolders,
  watchTokenInfo,
} from '../index.ts'

const { service, create } = responsesInFakeTime()

describe('unknown parameters', () => {
  it('disable a stream: it is pending, sends nothing and settles for firstSettled', async () => {
    const client = create()
    const streams: SnapshotStream<unknown>[] = [
      watchBalances(client, skipToken),
      watchBalances(client, { address: undefined }),
      watchBalances(client, { address: undefined, chainIds: [1] }, { refetchInterval: 1000 }),
      watchTokenBalance(client, { address, tokenAddress: undefined, chainIds: [1] }),
      watchTokenInfo(client, { address, chainIds: undefined }),
      watchPortfolio(client, { address: undefined }),
      watchPrice(client, { chainId: undefined, address }),
      watchPrices(client, skipToken),
    ]
    for (const stream of streams) {
      stream.subscribe()
      expect(stream.getSnapshot()).toMatchObject({ status: 'pending', error: null })
      expect(await firstSettled(stream)).toBe(stream.getSnapshot())
      await stream.getSnapshot().refetch()
    }
    await advance(60_000)
    for (const stream of streams) {
      expect(stream.getSnapshot()).toMatchObject({ status: 'pending', error: null })
    }
    expect(service.requests).toEqual([])
  })

  it('are an error if they are missing or invalid', () => {
    const client = create()
    const unknown = watchBalances(client, { address: undefined })
    const missing = watchBalances(client, {} as never)
    const invalid = watchBalances(client, { address: '0x1', chainIds: undefined })
    expect(unknown.getSnapshot().status).toBe('pending')
    expect(missing.getSnapshot()).toMatchObject({ error: { parameter: 'address' } })
    const price = watchPrice(client, { chainId: 1 } as never)
    expect(price.getSnapshot()).toMatchObject({ error: { parameter: 'address' } })
    expect(invalid.getSnapshot()).toMatchObject({ error: { parameter: 'address' } })
  })

  const functions: Record<string, (client: Client, wrong: never) => SnapshotStream<unknown>> = {
    watchBalances,
    watchCollectibles,
    watchTokenHolders,
    watchTokenBalance,
    watchTokenInfo,
    watchPortfolio,
    watchPrice,
    watchPrices,
  }
  it.each(Object.entries(functions))('are an error of %s in any other form', (_, watch) => {
    const client = create()
    for (const wrong of [null, true, 5, 5n, 'text', {}, [null], [[]], () => 1, new Date()]) {
      const stream = watch(client, wrong as never)
      expect(stream.getSnapshot()).toMatchObject({
        status: 'error',
        error: { name: 'InvalidParameterError' },
      })
      stream.subscribe().unsubscribe()
    }
    expect(service.requests).toEqual([])
  })

  it('do not disable a stream if they are optional', async () => {
    const client = create()
    const stream = watchBalances(client, { address, chainIds: undefined })
    expect(stream).toBe(watchBalances(client, { address }))
    stream.subscribe()
    await advance(0)
    expect(stream.getSnapshot().status).toBe('success')
  })

  it('disable a QueryObserver, also if the app enables it', async () => {
    const client = create()
    const { queryClient } = client
    for (const parameters of [skipToken, { address: undefined }] as const) {
      const options = balancesQueryOptions(client, parameters)
      expect(options.queryFn).toBe(skipToken)
      const observer = new QueryObserver(queryClient, { ...options, enabled: true })
      const unsubscribe = observer.subscribe(() => undefined)
      await advance(1000)
      expect(observer.getCurrentResult()).toMatchObject({ status: 'pending', fetchStatus: 'idle' })
      unsubscribe()
    }
    expect(service.requests).toEqual([])
  })

  it('do not keep the data of earlier ones', async () => {
    const client = create()
    watchBalances(client, { address }).subscribe()
    await advance(0)
    expect(watchBalances(client, skipToken).getSnapshot().data).toBeUndefined()
  })
})
