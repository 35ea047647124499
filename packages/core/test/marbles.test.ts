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
import { address, balance, balancesResponse, otherAddress } from './balances.ts'
import { json, refusing } from './createFakeService.ts'
import { createHolders, holder } from './createHolders.ts'
import { drawMarbles, frame } from './drawMarbles.ts'
import { everyWatch } from './everyWatch.ts'
import { serviceInFakeTime } from './serviceInFakeTime.ts'

const token = { chainId: 1, address: otherAddress }
let list: ReturnType<typeof createHolders>
let client: Client
const { service, create } = serviceInFakeTime()
/** A request takes a little more than a frame, so that its answer shows in the next one. */
const late = (answer: (count: number) => Response) => async (count: number) => {
  await new Promise((resolve) => setTimeout(resolve, 1.2 * frame))
  return answer(count)
}

beforeEach(() => {
  client = create()
})

describe('a listing, by marbles,', () => {
  /** How many pages of ten rows it has: as a digit, while the next one is fetched as a letter. `L` for one that loops. */
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
    service.answer = late(() => json(list.answer(service.asked.at(-1)!.url)))
  }
  const watch = () => watchTokenHolders(client, token)

  it('shows a page more whenever somebody asks for one', async () => {
    serve(25)
    const stream = watch()
    const more = () => void stream.getSnapshot().fetchNextPage()
    expect(await drawMarbles(stream, 10, pages, { 3: more, 6: more, 8: more })).toBe('01-a2-b3--')
  })

  it('refreshes its first page alone, and emits nothing where nothing changed', async () => {
    serve(25)
    const stream = watch()
    const more = () => void stream.getSnapshot().fetchNextPage()
    const change = () => void (list.holders[0] = holder(0, 2_000_000))
    expect(await drawMarbles(stream, 38, pages, { 3: more, 20: change })).toBe(
      '01-a2------------------2--------------',
    )
    expect(service.asked).toHaveLength(5)
  })

  it('is read to its end by fetchAll, and shown whenever it grew by a quarter', async () => {
    serve(75)
    const stream = watch()
    const all = () => void stream.getSnapshot().fetchAll()
    expect(await drawMarbles(stream, 12, pages, { 2: all })).toBe('01abcde--g(h8)-')
  })

  it('ends where a service answers a dead cursor with its first page', async () => {
    serve(25)
    list.readCursor = () => null
    const stream = watch()
    expect(
      await drawMarbles(stream, 8, pages, { 2: () => void stream.getSnapshot().fetchAll() }),
    ).toBe('01a(LL)----')
  })

  it('stays as it is where its signal aborts', async () => {
    serve(75)
    const stream = watch()
    const controller = new AbortController()
    const all = () => void stream.getSnapshot().fetchAll({ signal: controller.signal })
    expect(await drawMarbles(stream, 10, pages, { 2: all, 4: () => controller.abort() })).toBe(
      '01ab(c3)-----',
    )
  })

  it('shows a page that fails as an error', async () => {
    serve(25)
    const stream = watch()
    const fail = () => {
      service.answer = late(refusing(404))
      void stream.getSnapshot().fetchNextPage()
    }
    expect(await drawMarbles(stream, 8, pages, { 3: fail })).toBe('01-a!---')
  })

  it('completes with its client', async () => {
    serve(25)
    expect(await drawMarbles(watch(), 5, pages, { 3: () => client.destroy() })).toBe('01-|-')
  })

  describe('that is gone through', () => {
    /** How many rows came, in tens. */
    const count = () => {
      let rows = 0
      return () => (++rows % 10 === 0 ? String(rows / 10) : '')
    }

    it('gives rows as their page comes, and completes', async () => {
      serve(30)
      expect(await drawMarbles(paginateTokenHolders(client, token), 6, count())).toBe('-12(3|)--')
    })

    it('fails where it loops', async () => {
      serve(30)
      list.readCursor = () => null
      expect(await drawMarbles(paginateTokenHolders(client, token), 6, count())).toBe('-1#---')
    })
  })
})

describe('a stream that polls, by marbles,', () => {
  /** What the service knows, whatever it is asked; another price and amount from the third answer on. */
  const answer = (count: number) => {
    const version = count < 3 ? 1 : 2
    const fields = { chain_id: 1, address: otherAddress, decimals: 0 }
    const prices = { price_usd: version, value_usd: version * version }
    const item = balance({ ...fields, ...prices, amount: String(version) })
    return json({
      ...balancesResponse(item),
      address,
      token_address: otherAddress,
      contract_address: otherAddress,
      chain_id: 1,
      tokens: [{ chain: 'devnet', ...fields, ...prices }],
      holders: [holder(1, version)],
      entries: [
        {
          contract_address: otherAddress,
          token_standard: 'ERC721',
          token_id: String(version),
          chain_id: 1,
          balance: '1',
          last_acquired: '2024-05-01T12:00:00Z',
        },
      ],
    })
  }
  const status = (snapshot: Snapshot<unknown>) => snapshot.status.charAt(0)

  it('is any that is exported, but for one that waits to be told', () => {
    const names = Object.keys(core).filter((name) => name.startsWith('watch'))
    expect(Object.keys(everyWatch).sort()).toEqual(
      names.filter((name) => name !== 'watchForChange').sort(),
    )
  })

  it.each(Object.entries(everyWatch))(
    '%s asks at once, tells of a poll only what changed, and completes with its client',
    async (_, watch) => {
      service.answer = late(answer)
      const stream = watch(client, address, otherAddress)
      expect(await drawMarbles(stream, 28, status, { 26: () => client.destroy() })).toBe(
        'ps---------------------s--|-',
      )
      expect(service.asked).toHaveLength(3)
    },
  )

  it.each(Object.entries(everyWatch))(
    '%s shows a poll that fails, and that it is over',
    async (_, watch) => {
      service.answer = late((count) =>
        count === 2 ? json({}, { status: 503, headers: { 'retry-after': '15' } }) : answer(1),
      )
      const drawn = await drawMarbles(watch(client, address, otherAddress), 40, status)
      expect(drawn).toMatch(/^ps-{10,11}e-+s-*$/)
    },
  )
})

describe('watchForChange, by marbles,', () => {
  const label = ({ status, data }: WaitForChangeSnapshot) =>
    status === 'pending' && data !== undefined ? 'P' : status.charAt(0)
  const expectIt = (stream: ReturnType<typeof watchForChange>) => () =>
    void stream.getSnapshot().waitForChange(balancesQueryOptions(client, { address }))

  it('is idle, pending, pending with what is known, and changed', async () => {
    service.answer = late((count) =>
      json(balancesResponse(balance({ amount: count < 4 ? '1' : '2' }))),
    )
    const stream = watchForChange(client)
    expect(await drawMarbles(stream, 15, label, { 2: expectIt(stream) })).toBe('i-pP-----c-----')
  })

  it('is idle again when it is cancelled', async () => {
    service.answer = late(() => json(balancesResponse(balance())))
    const stream = watchForChange(client)
    const cancel = () => stream.getSnapshot().cancel()
    expect(await drawMarbles(stream, 10, label, { 2: expectIt(stream), 6: cancel })).toBe(
      'i-pP--i---',
    )
  })
})
