import { from, lastValueFrom, take, toArray } from 'rxjs'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { otherAddress } from '../../test/balances.ts'
import { createHolders, holder, indexes, range } from '../../test/createHolders.ts'
import { sharedServer } from '../../test/sharedServer.ts'
import { respondWith } from '../../test/startServer.ts'
import { type Client } from '../client/Client.ts'
import { paginateTokenHolders, watchTokenHolders } from '../operations/tokenHolders.ts'

const token = { chainId: 1, address: otherAddress }
const { server, create } = await sharedServer()
let list: ReturnType<typeof createHolders>
let client: Client
const collect = async <T>(items: AsyncIterable<T>) => {
  const all: T[] = []
  for await (const item of items) {
    all.push(item)
  }
  return all
}

beforeEach(() => {
  list = createHolders(35, 10)
  server.use((request, response) => respondWith(list.respond(request.url ?? ''))(request, response))
  client = create()
})

describe('a paginator', () => {
  it('yields all items from the largest pages, and sends no request before', async () => {
    const holders = paginateTokenHolders(client, token)
    expect(server.requests).toEqual([])
    expect(indexes(await collect(holders))).toEqual(range(0, 35))
    expect(server.requests).toHaveLength(4)
    expect(server.requests.every(({ url }) => url.includes('limit=500'))).toBe(true)
  })

  it('yields the responses as pages', async () => {
    const pages = await collect(paginateTokenHolders(client, token).pages)
    expect(pages.map(({ holders }) => holders.length)).toEqual([10, 10, 10, 5])
    expect(pages[0]).toMatchObject({ token_address: otherAddress, chain_id: 1 })
  })

  it('is an observable of items', async () => {
    const holders = paginateTokenHolders(client, token)
    expect(indexes(await lastValueFrom(holders.pipe(toArray())))).toEqual(range(0, 35))
    expect(indexes(await lastValueFrom(from(holders).pipe(toArray())))).toEqual(range(0, 35))
    expect(server.requests).toHaveLength(8)
  })

  it('yields each item once, for any overlap of pages', async () => {
    const { respond } = list
    list.respond = (url) => {
      const page = respond(url)
      return { ...page, holders: [holder(0), ...page.holders] }
    }
    expect(indexes(await collect(paginateTokenHolders(client, token)))).toEqual(range(0, 35))
  })

  it('sends no further request when the consumer stops', async () => {
    const emitted: number[] = []
    for await (const each of paginateTokenHolders(client, token)) {
      emitted.push(Number(each.wallet_address))
      if (emitted.length === 12) {
        break
      }
    }
    expect(emitted).toEqual(range(0, 12))
    const taken = paginateTokenHolders(client, token).pipe(take(3), toArray())
    expect(indexes(await lastValueFrom(taken))).toEqual(range(0, 3))
    expect(server.requests).toHaveLength(3)
    expect(await collect(paginateTokenHolders(client, token, { maxPages: 2 }))).toHaveLength(20)
    expect(server.requests).toHaveLength(5)
  })

  it('aborts the request in flight on unsubscribe and on abort', async () => {
    const ends: Promise<void>[] = []
    let arrived = () => {}
    server.use((_, response) => {
      ends.push(new Promise((resolve) => response.on('close', resolve)))
      arrived()
    })
    const arrival = () => new Promise<void>((resolve) => (arrived = resolve))
    const first = arrival()
    const subscription = paginateTokenHolders(client, token).subscribe()
    await first
    subscription.unsubscribe()
    await ends[0]
    const controller = new AbortController()
    const second = arrival()
    const rejection = expect(
      collect(paginateTokenHolders(client, token, { signal: controller.signal })),
    ).rejects.toMatchObject({ name: 'AbortError' })
    await second
    controller.abort()
    await Promise.all([rejection, ends[1]])
    await expect(
      collect(paginateTokenHolders(client, token, { signal: AbortSignal.abort() })),
    ).rejects.toMatchObject({ name: 'AbortError' })
  })

  it('returns without waiting for the request in flight', async () => {
    let onClose = () => {}
    const closed = new Promise<void>((resolve) => (onClose = resolve))
    const arrived = new Promise<void>((resolve) => {
      server.use((_, response) => {
        response.on('close', onClose)
        resolve()
      })
    })
    const iterator = paginateTokenHolders(client, token)[Symbol.asyncIterator]()
    const next = iterator.next()
    await arrived
    const end = { done: true, value: undefined }
    expect(await iterator.return?.()).toEqual(end)
    expect(await next).toEqual(end)
    expect(await iterator.next()).toEqual(end)
    await closed
    expect(server.requests).toHaveLength(1)
  })

  it('yields nothing after its signal aborted, not even of the current page', async () => {
    const controller = new AbortController()
    let count = 0
    const read = async () => {
      for await (const each of paginateTokenHolders(client, token, { signal: controller.signal })) {
        expect(each).toBeDefined()
        if (++count === 3) {
          controller.abort()
        }
      }
    }
    await expect(read()).rejects.toMatchObject({ name: 'AbortError' })
    expect(count).toBe(3)
  })

  it('fails when the listing loops', async () => {
    list.readCursor = () => null
    const emitted: number[] = []
    const reading = (async () => {
      for await (const each of paginateTokenHolders(client, token)) {
        emitted.push(Number(each.wallet_address))
      }
    })()
    await expect(reading).rejects.toMatchObject({ name: 'InvalidResponseError' })
    expect(emitted).toEqual(range(0, 10))
    expect(server.requests).toHaveLength(2)
  })

  it('continues after a few empty pages, and fails after too many', async () => {
    const whole = list.respond('/?limit=1')
    const page = (index: number, next: string | null) => ({
      ...whole,
      holders: index % 8 === 0 ? [holder(index)] : [],
      next_offset: next,
    })
    list.respond = (url) => {
      const index = Number(new URL(url, server.baseUrl).searchParams.get('offset'))
      return page(index, index < 16 ? `${index + 1}` : null)
    }
    expect(indexes(await collect(paginateTokenHolders(client, token)))).toEqual([0, 8, 16])
    list.respond = () => page(1, `${server.requests.length}`)
    server.requests.length = 0
    await expect(collect(paginateTokenHolders(client, token))).rejects.toMatchObject({
      name: 'InvalidResponseError',
    })
    expect(server.requests).toHaveLength(9)
  })

  it('removes its listeners from the signal', async () => {
    const { signal } = new AbortController()
    const added = vi.spyOn(signal, 'addEventListener')
    const removed = vi.spyOn(signal, 'removeEventListener')
    const holders = paginateTokenHolders(client, token, { signal })
    await collect(holders)
    await lastValueFrom(holders.pipe(take(1)))
    for await (const page of holders.pages) {
      expect(page.holders).toHaveLength(10)
      break
    }
    expect(added).toHaveBeenCalledTimes(3)
    await expect
      .poll(() => removed.mock.calls.map(([, each]) => each))
      .toEqual(added.mock.calls.map(([, each]) => each))
  })

  it('passes errors to the consumer', async () => {
    server.use(respondWith({ error: 'Used up.' }, { status: 402 }))
    const holders = paginateTokenHolders(client, token)
    await expect(collect(holders)).rejects.toMatchObject({ status: 402 })
    await expect(lastValueFrom(holders)).rejects.toMatchObject({ status: 402 })
    expect(server.requests).toHaveLength(2)
    const wrong = paginateTokenHolders(client, { chainId: 0, address: otherAddress })
    await expect(collect(wrong)).rejects.toMatchObject({ name: 'InvalidParameterError' })
    const cut = paginateTokenHolders(client, token, { maxPages: NaN })
    await expect(collect(cut)).rejects.toMatchObject({ parameter: 'maxPages' })
  })

  it('rejects pagination parameters of plain JavaScript', async () => {
    for (const [parameter, value] of Object.entries({ limit: 5, offset: 'x' })) {
      const input = { ...token, [parameter]: value }
      const error = { name: 'InvalidParameterError', parameter }
      await expect(collect(paginateTokenHolders(client, input))).rejects.toMatchObject(error)
      const valid = watchTokenHolders(client, token)
      const stream = watchTokenHolders(client, input)
      expect(stream).not.toBe(valid)
      const subscription = stream.subscribe()
      expect(stream.getSnapshot()).toMatchObject({ status: 'error', error })
      subscription.unsubscribe()
    }
    expect(server.requests).toHaveLength(0)
  })
})

describe('a watched listing over HTTP', () => {
  it('has the same rows', async () => {
    const stream = watchTokenHolders(client, token)
    const subscription = stream.subscribe()
    await stream.getSnapshot().fetchAll()
    const listed = await collect(paginateTokenHolders(client, token))
    expect(stream.getSnapshot().data).toEqual(listed)
    expect(server.requests).toHaveLength(8)
    subscription.unsubscribe()
  })
})
