import { beforeEach, describe, expect, it } from 'vitest'
import * as core from '../src/index.ts'
import {
  balancesQueryOptions,
  type Client,
  type CollectionSnapshot,
  type Holder,
  paginateTokenHolders,
  type Snapshot,
  type WaitForChangeSnapshot,
  watchForChange,
  watchTokenHolders,
} from '../src/index.ts'
import { allStreams } from './allStreams.ts'
import { address, balance, balancesResponse, otherAddress } from './balances.ts'
import { json, rejectWith } from './createFakeService.ts'
import { createHolders, holder } from './createHolders.ts'
import { drawMarbles, frame } from './drawMarbles.ts'
import { operationExamples } from './operations.ts'
import { serviceInFakeTime } from './serviceInFakeTime.ts'

const token = { chainId: 1, address: otherAddress }
let list: ReturnType<typeof createHolders>
let client: Client
const { service, create } = serviceInFakeTime()
/** Responds after slightly more than a frame, so that the response appears in the next one. */
const late = (respond: (count: number) => Response) => async (count: number) => {
  await new Promise((resolve) => setTimeout(resolve, 1.2 * frame))
  return respond(count)
}

beforeEach(() => {
  client = create()
})

describe('marble diagrams of a listing', () => {
  /** The number of pages of ten rows: a digit, or a letter while the next one is fetched. `L` for a listing that loops. */
  const pages = ({ data, isFetchingNextPage, status, warnings }: CollectionSnapshot<Holder>) => {
    if (status === 'error') {
      return '!'
    }
    if (warnings.some(({ code }) => code === 'LISTING_LOOPS')) {
      return 'L'
    }
    const count = Math.ceil((data?.length ?? 0) / 10)
    return isFetchingNextPage ? ' abcdefgh'.charAt(count) : String(count)
  }
  const serve = (count: number) => {
    list = createHolders(count, 10)
    service.respond = late(() => json(list.respond(service.requests.at(-1)!.url)))
  }
  const watch = () => watchTokenHolders(client, token)

  it('fetchNextPage appends a page', async () => {
    serve(25)
    const stream = watch()
    const more = () => void stream.getSnapshot().fetchNextPage()
    expect(await drawMarbles(stream, 10, pages, { 3: more, 6: more, 8: more })).toBe('01-a2-b3--')
  })

  it('a poll refetches only the first page, and emits nothing without a change', async () => {
    serve(25)
    const stream = watch()
    const more = () => void stream.getSnapshot().fetchNextPage()
    const change = () => void (list.holders[0] = holder(0, 2_000_000))
    expect(await drawMarbles(stream, 38, pages, { 3: more, 20: change })).toBe(
      '01-a2------------------2--------------',
    )
    expect(service.requests).toHaveLength(5)
  })

  it('fetchAll loads all pages and emits when the rows grew by a quarter', async () => {
    serve(75)
    const stream = watch()
    const all = () => void stream.getSnapshot().fetchAll()
    expect(await drawMarbles(stream, 12, pages, { 2: all })).toBe('01abcde--g(h8)-')
  })

  it('the listing ends when the service responds to an expired cursor with the first page', async () => {
    serve(25)
    list.readCursor = () => null
    const stream = watch()
    expect(
      await drawMarbles(stream, 8, pages, { 2: () => void stream.getSnapshot().fetchAll() }),
    ).toBe('01a(LL)----')
  })

  it('aborting the signal of fetchAll keeps the loaded rows', async () => {
    serve(75)
    const stream = watch()
    const controller = new AbortController()
    const all = () => void stream.getSnapshot().fetchAll({ signal: controller.signal })
    expect(await drawMarbles(stream, 10, pages, { 2: all, 4: () => controller.abort() })).toBe(
      '01ab(c3)-----',
    )
  })

  it('a failed page is an error', async () => {
    serve(25)
    const stream = watch()
    const fail = () => {
      service.respond = late(rejectWith(404))
      void stream.getSnapshot().fetchNextPage()
    }
    expect(await drawMarbles(stream, 8, pages, { 3: fail })).toBe('01-a!---')
  })

  it('the stream completes when the client is destroyed', async () => {
    serve(25)
    expect(await drawMarbles(watch(), 5, pages, { 3: () => client.destroy() })).toBe('01-|-')
  })

  describe('of a paginator', () => {
    /** The number of rows, in tens. */
    const count = () => {
      let rows = 0
      return () => (++rows % 10 === 0 ? String(rows / 10) : '')
    }

    it('emits the rows of each page and completes', async () => {
      serve(30)
      expect(await drawMarbles(paginateTokenHolders(client, token), 6, count())).toBe('-12(3|)--')
    })

    it('fails when the listing loops', async () => {
      serve(30)
      list.readCursor = () => null
      expect(await drawMarbles(paginateTokenHolders(client, token), 6, count())).toBe('-1#---')
    })
  })
})

describe('marble diagrams of a polling stream', () => {
  /** A response that fits every operation, with another row, price and amount from the third request on. */
  const respond = (count: number) => {
    const version = count < 3 ? 1 : 2
    const fields = { chain_id: 1, address: otherAddress, decimals: 0 }
    const values = { price_usd: version, value_usd: version * version, amount: String(version) }
    const responses = operationExamples.map(({ createItem, createResponse }) =>
      createResponse({ ...createItem(version), ...fields, ...values }),
    )
    return json(Object.assign({}, ...responses))
  }
  const status = (snapshot: Snapshot<unknown>) => snapshot.status.charAt(0)

  it('the list contains every exported stream except watchForChange', () => {
    const names = Object.keys(core).filter((name) => name.startsWith('watch'))
    expect(Object.keys(allStreams).sort()).toEqual(
      names.filter((name) => name !== 'watchForChange').sort(),
    )
  })

  it.each(Object.entries(allStreams))(
    '%s fetches on subscription, emits after a poll only on a change, and completes when the client is destroyed',
    async (_, watch) => {
      service.respond = late(respond)
      const stream = watch(client, address, otherAddress)
      expect(await drawMarbles(stream, 28, status, { 26: () => client.destroy() })).toBe(
        'ps---------------------s--|-',
      )
      expect(service.requests).toHaveLength(3)
    },
  )

  it.each(Object.entries(allStreams))(
    '%s emits an error after a failed poll, and recovers',
    async (_, watch) => {
      service.respond = late((count) =>
        count === 2 ? json({}, { status: 503, headers: { 'retry-after': '15' } }) : respond(1),
      )
      const drawn = await drawMarbles(watch(client, address, otherAddress), 40, status)
      expect(drawn).toMatch(/^ps-{10,11}e-+s-*$/)
    },
  )
})

describe('marble diagrams of watchForChange', () => {
  const label = ({ status, data }: WaitForChangeSnapshot) =>
    status === 'pending' && data !== undefined ? 'P' : status.charAt(0)
  const startWaiting = (stream: ReturnType<typeof watchForChange>) => () =>
    void stream.getSnapshot().waitForChange(balancesQueryOptions(client, { address }))

  it('is idle, pending, pending with data, changed', async () => {
    service.respond = late((count) =>
      json(balancesResponse(balance({ amount: count < 4 ? '1' : '2' }))),
    )
    const stream = watchForChange(client)
    expect(await drawMarbles(stream, 15, label, { 2: startWaiting(stream) })).toBe(
      'i-pP-----c-----',
    )
  })

  it('is idle after cancel', async () => {
    service.respond = late(() => json(balancesResponse(balance())))
    const stream = watchForChange(client)
    const cancel = () => stream.getSnapshot().cancel()
    expect(await drawMarbles(stream, 10, label, { 2: startWaiting(stream), 6: cancel })).toBe(
      'i-pP--i---',
    )
  })
})
