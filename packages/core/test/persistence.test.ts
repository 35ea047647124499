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
import { pass, record } from './clientsInFakeTime.ts'
import { json } from './createFakeService.ts'
import { serviceInFakeTime } from './serviceInFakeTime.ts'
import { parameters, tokenInfo } from './tokenInfo.ts'

const apiKey = 'secret-of-the-user'
const { service, create: createClient } = serviceInFakeTime((count) => json(tokenInfo(count)))
const create = (options: Partial<ClientOptions> = {}) => createClient({ apiKey, ...options })

const watch = (client: Client) => record(watchTokenInfo(client, parameters))

/** The storage of a browser, which outlives a visit. */
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
    // The time that answers stay in the cache is that of TanStack, 5 minutes, unless it is told.
    queryClient.setDefaultOptions({ queries: { gcTime: 24 * 3_600_000 } })
    await persistQueryClientRestore({ queryClient, persister })
    const stop = persistQueryClientSubscribe({ queryClient, persister })
    const leave = async () => {
      await pass(2000)
      stop()
      client.destroy()
    }
    return { client, leave }
  }

  it('shows at once what was known, asks nothing while it is fresh, and polls on from there', async () => {
    const first = await visit()
    watch(first.client)
    await first.leave()
    const second = await visit()
    const { seen } = watch(second.client)
    expect(seen[0]).toMatchObject({ status: 'success', data: tokenInfo(1) })
    await pass(7800)
    expect(service.asked).toHaveLength(1)
    await pass(400)
    expect(seen.map(({ data }) => data)).toEqual([tokenInfo(1), tokenInfo(2)])
  })

  it('shows at once what was known and refreshes it when it is stale', async () => {
    const first = await visit()
    watch(first.client)
    await first.leave()
    await pass(3_600_000)
    const second = await visit()
    const { seen } = watch(second.client)
    expect(seen[0]).toMatchObject({ status: 'success', data: tokenInfo(1) })
    await pass(0)
    expect(service.asked).toHaveLength(2)
    expect(seen.map(({ data }) => data)).toEqual([tokenInfo(1), tokenInfo(2)])
  })

  it('keeps showing what was known while the service is away', async () => {
    const first = await visit()
    watch(first.client)
    await first.leave()
    await pass(3_600_000)
    service.answer = () => json({ error: 'gone' }, { status: 404 })
    const second = await visit()
    const { seen } = watch(second.client)
    await pass(0)
    expect(seen.at(-1)).toMatchObject({ status: 'error', data: tokenInfo(1) })
  })

  it('holds no key', async () => {
    const { client, leave } = await visit()
    watch(client)
    await leave()
    const [stored = ''] = storage.items.values()
    expect(stored).toContain('"price_usd":1')
    expect(stored).not.toContain(apiKey)
  })
})

describe('a cache that is persisted query by query', () => {
  function visit() {
    const queryClient = new QueryClient()
    const { persisterFn } = experimental_createQueryPersister({ storage })
    queryClient.setDefaultOptions({ queries: { persister: persisterFn as never } })
    return create({ queryClient })
  }

  it('shows what was known first, and then what is new when that is stale', async () => {
    const first = visit()
    watch(first)
    await pass(10)
    first.destroy()
    expect([...storage.items.values()].join()).not.toContain(apiKey)
    await pass(3_600_000)
    const { seen } = watch(visit())
    await pass(10)
    expect(seen.map(({ data }) => data)).toEqual([undefined, tokenInfo(1), tokenInfo(2)])
    expect(service.asked).toHaveLength(2)
  })

  it('asks nothing while what was known is fresh', async () => {
    const first = visit()
    watch(first)
    await pass(10)
    first.destroy()
    const { seen } = watch(visit())
    await pass(5000)
    expect(seen.at(-1)).toMatchObject({ status: 'success', data: tokenInfo(1) })
    expect(service.asked).toHaveLength(1)
  })

  it('keeps what TanStack prefetched with our query options', async () => {
    const first = visit()
    await first.queryClient.prefetchQuery(tokenInfoQueryOptions(first, parameters))
    await pass(10)
    first.destroy()
    const second = visit()
    await second.queryClient.prefetchQuery(tokenInfoQueryOptions(second, parameters))
    expect(service.asked).toHaveLength(1)
  })
})
