import { InfiniteQueryObserver, QueryClient } from '@tanstack/query-core'
import {
  type CollectionStream,
  createClient,
  getTokenHolders,
  type Holder,
  watchTokenHolders,
} from '@headwater/core'
import type { Measured } from '../../checkTargets.ts'
import type { Figure } from '../Figure.ts'
import { createHolderPages } from '../kit/createHolderPages.ts'

const baseUrl = 'https://example.org'
const token = { chainId: 1, address: '0x0000000000000000000000000000000000000001' }

interface Page {
  readonly holders: readonly Holder[]
  readonly next_offset: string | null
}

/** The cost of merging many pages into one list, including parsing. */
export const figure: Figure = {
  title: '400 pages of 500 holders into one flat list merged by identity',
  contenders: {
    headwater: () => readAll(400),
    'headwater, 100 pages': () => readAll(100),
    'headwater, page by page': () => readPageByPage(400),
    'query-core': () => readInfinitely(400),
    'query-core, 100 pages': () => readInfinitely(100),
  },
  reach: [
    { of: ['headwater', 'listingMs'], atMost: 1, times: ['headwater', 'parseMs'] },
    { of: ['headwater', 'cpuMs'], atMost: 4.5, times: ['headwater, 100 pages', 'cpuMs'] },
  ],
}

/** A service in the process. */
function serve(texts: readonly string[]) {
  const headers = { get: () => null }
  return ((url) => {
    const page = new URL(String(url)).searchParams.get('offset') ?? '0'
    const response = { ok: true, headers, text: () => Promise.resolve(texts[Number(page)]) }
    return Promise.resolve(response as unknown as Response)
  }) as typeof globalThis.fetch
}

/** CPU time in total, without fetching, parsing and validating the pages, and of parsing alone. */
async function readAll(count: number): Promise<Measured> {
  const texts = createHolderPages(count, 500)
  const fetch = serve(texts)
  const list = () =>
    watchHolders(fetch, async (stream) => {
      await stream.getSnapshot().fetchAll()
    })
  const fetchPages = async () => {
    const client = createClient({ baseUrl, ssr: false, fetch })
    const responses: unknown[] = []
    for (let page = 0; page < count; page++) {
      responses.push(await getTokenHolders(client, { ...token, offset: String(page) }))
    }
    client.destroy()
    return responses
  }
  const parse = () => Promise.resolve(texts.map((text) => JSON.parse(text) as Page))
  const [listed, fetched, parsed] = await measureInTurns(12, list, fetchPages, parse)
  const { cpuMs = NaN } = listed ?? {}
  return {
    ...listed,
    listingMs: cpuMs - (fetched?.cpuMs ?? NaN),
    parseMs: parsed?.cpuMs ?? NaN,
  }
}

async function readPageByPage(count: number): Promise<Measured> {
  const fetch = serve(createHolderPages(count, 500))
  const [measured] = await measureInTurns(4, () =>
    watchHolders(fetch, async (stream) => {
      await stream.getSnapshot().fetchNextPage()
      while (stream.getSnapshot().hasNextPage) {
        await stream.getSnapshot().fetchNextPage()
      }
    }),
  )
  return { ...measured }
}

/** Destroys the client, so that only the rows stay in memory, as for the other contenders. */
async function watchHolders(
  fetch: typeof globalThis.fetch,
  read: (stream: CollectionStream<Holder>) => Promise<void>,
) {
  const client = createClient({ baseUrl, ssr: false, fetch })
  const stream = watchTokenHolders(client, token)
  stream.subscribe(({ data }) => data?.length)
  await read(stream)
  const { data } = stream.getSnapshot()
  client.destroy()
  return data
}

async function readInfinitely(count: number): Promise<Measured> {
  const texts = createHolderPages(count, 500)
  const [measured] = await measureInTurns(1, async () => {
    const client = new QueryClient()
    client.mount()
    const observer = new InfiniteQueryObserver(client, {
      queryKey: ['bench'],
      queryFn: ({ pageParam }) => Promise.resolve(JSON.parse(texts[pageParam] ?? '') as Page),
      initialPageParam: 0,
      getNextPageParam: (page) => (page.next_offset ? Number(page.next_offset) : undefined),
      select: ({ pages }) => [
        ...new Map(
          pages.flatMap((page) => page.holders.map((each) => [each.wallet_address, each])),
        ).values(),
      ],
    })
    observer.subscribe(({ data }) => data?.length)
    await observer.refetch()
    while (observer.getCurrentResult().hasNextPage) {
      await observer.fetchNextPage()
    }
    const { data } = observer.getCurrentResult()
    observer.destroy()
    client.unmount()
    client.clear()
    return data
  })
  return { ...measured }
}

type Work = () => Promise<readonly unknown[] | undefined>

/**
 * CPU time of all threads per round, after a warm-up. The tasks take turns, so that the speed of the machine and garbage
 * collection affect all of them.
 */
async function measureInTurns(rounds: number, ...works: readonly Work[]): Promise<Measured[]> {
  const measured = works.map(() => ({ cpuMs: 0, rows: 0 }))
  for (let round = -1; round < rounds; round++) {
    if (round === 0) {
      globalThis.gc?.()
    }
    for (const [index, work] of works.entries()) {
      const before = process.cpuUsage()
      const rows = (await work())?.length ?? 0
      const { user, system } = process.cpuUsage(before)
      const cpuMs = round < 0 ? 0 : (user + system) / 1000 / rounds
      measured[index] = { cpuMs: (measured[index]?.cpuMs ?? 0) + cpuMs, rows }
      // Wait for the timers of the task.
      await new Promise((resolve) => setTimeout(resolve))
    }
  }
  return measured
}
