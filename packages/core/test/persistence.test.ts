import { QueryClient } from '@tanstack/query-core'
import {
  experimental_createQueryPersister,
  persistQueryClientRestore,
  persistQueryClientSubscribe,
} from '@tanstack/query-persist-client-core'
import { createSyncStoragePersister } from '@tanstack/query-sync-storage-persister'
import { beforeEach, describe, expect, it } from 'vitest'
import {
  type Client,
  type ClientOptions,
  tokenInfoQueryOptions,
  watchTokenInfo,
} from '../src/index.ts'
import { advance, record } from './clientsInFakeTime.ts'
import { json } from './createFakeService.ts'
import { serviceInFakeTime } from './serviceInFakeTime.ts'
import { parameters, tokenInfo } from './tokenInfo.ts'

const apiKey = 'secret-of-the-user'
const { service, create: createClient } = serviceInFakeTime((count) => json(tokenInfo(count)))
const create = (options: Partial<ClientOptions> = {}) => createClient({ apiKey, ...options })

const watch = (client: Client) => record(watchTokenInfo(client, parameters))

/** The storage of a browser, which outlives a page. */
function createStorage() {
  const items = new Map<string, string>()
  return {
    items,
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  }
}

let storage: ReturnType<typeof createStorage>
beforeEach(() => {
  storage = createStorage()
})

describe('a cache that is persisted as a whole', () => {
  async function visit() {
    const client = create()
    const { queryClient } = client
    const persister = createSyncStoragePersister({ storage })
    // Cached responses must outlive TanStack's default of 5 minutes.
    queryClient.setDefaultOptions({ queries: { gcTime: 24 * 3_600_000 } })
    await persistQueryClientRestore({ queryClient, persister })
    const stop = persistQueryClientSubscribe({ queryClient, persister })
    const leave = async () => {
      await advance(2000)
      stop()
      client.destroy()
    }
    return { client, leave }
  }

  it('displays fresh persisted data without a request, and polls one interval after its time', async () => {
    const first = await visit()
    watch(first.client)
    await first.leave()
    const second = await visit()
    const { emitted } = watch(second.client)
    expect(emitted[0]).toMatchObject({ status: 'success', data: tokenInfo(1) })
    await advance(7800)
    expect(service.requests).toHaveLength(1)
    await advance(400)
    expect(emitted.map(({ data }) => data)).toEqual([tokenInfo(1), tokenInfo(2)])
  })

  it('displays stale persisted data and refetches it', async () => {
    const first = await visit()
    watch(first.client)
    await first.leave()
    await advance(3_600_000)
    const second = await visit()
    const { emitted } = watch(second.client)
    expect(emitted[0]).toMatchObject({ status: 'success', data: tokenInfo(1) })
    await advance(0)
    expect(service.requests).toHaveLength(2)
    expect(emitted.map(({ data }) => data)).toEqual([tokenInfo(1), tokenInfo(2)])
  })

  it('displays persisted data beside an error while the service fails', async () => {
    const first = await visit()
    watch(first.client)
    await first.leave()
    await advance(3_600_000)
    service.respond = () => json({ error: 'gone' }, { status: 404 })
    const second = await visit()
    const { emitted } = watch(second.client)
    await advance(0)
    expect(emitted.at(-1)).toMatchObject({ status: 'error', data: tokenInfo(1) })
  })

  it('contains no API key', async () => {
    const { client, leave } = await visit()
    watch(client)
    await leave()
    const [stored = ''] = storage.items.values()
    expect(stored).toContain('"price_usd":1')
    expect(stored).not.toContain(apiKey)
  })
})

describe('a cache that is persisted per query', () => {
  function visit() {
    const queryClient = new QueryClient()
    const { persisterFn } = experimental_createQueryPersister({ storage })
    queryClient.setDefaultOptions({ queries: { persister: persisterFn as never } })
    return create({ queryClient })
  }

  it('displays stale persisted data and then the response', async () => {
    const first = visit()
    watch(first)
    await advance(10)
    first.destroy()
    expect([...storage.items.values()].join()).not.toContain(apiKey)
    await advance(3_600_000)
    const { emitted } = watch(visit())
    await advance(10)
    expect(emitted.map(({ data }) => data)).toEqual([undefined, tokenInfo(1), tokenInfo(2)])
    expect(service.requests).toHaveLength(2)
  })

  it('sends no request while persisted data is fresh', async () => {
    const first = visit()
    watch(first)
    await advance(10)
    first.destroy()
    const { emitted } = watch(visit())
    await advance(5000)
    expect(emitted.at(-1)).toMatchObject({ status: 'success', data: tokenInfo(1) })
    expect(service.requests).toHaveLength(1)
  })

  it('persists what prefetchQuery fetched with our query options', async () => {
    const first = visit()
    await first.queryClient.prefetchQuery(tokenInfoQueryOptions(first, parameters))
    await advance(10)
    first.destroy()
    const second = visit()
    await second.queryClient.prefetchQuery(tokenInfoQueryOptions(second, parameters))
    expect(service.requests).toHaveLength(1)
  })
})
