import { QueryClient } from '@tanstack/query-core'
import { describe, expect, it, vi } from 'vitest'
import { address, balance, balancesResponse } from '../../test/balances.ts'
import { answering, startServer } from '../../test/startServer.ts'
import { waitForChange } from '../changes/waitForChange.ts'
import type { ResponseEvent } from '../client/Client.ts'
import { balancesQueryOptions, getBalances, watchBalances } from '../operations/balances.ts'
import { type Client } from './Client.ts'
import { createClient } from './createClient.ts'
import { perClient } from './perClient.ts'

describe('createClient', () => {
  it.each([
    ['http://localhost:1', 'http://localhost:1'],
    ['https://example.org/', 'https://example.org'],
    ['https://example.org/data/v2//', 'https://example.org/data/v2'],
    ['https://example.org/?', 'https://example.org'],
    ['https://example.org/data#', 'https://example.org/data'],
  ])('takes %s', (baseUrl, normalized) => {
    expect(createClient({ baseUrl }).baseUrl).toBe(normalized)
  })

  it.each([
    '',
    '/api',
    'example.org',
    'ftp://example.org',
    'https://x.org?a=1',
    'https://x.org#a',
    'https://u:p@x.org',
  ])('refuses %j as base URL', (baseUrl) => {
    expect(() => createClient({ baseUrl })).toThrow(
      expect.objectContaining({ name: 'InvalidParameterError', parameter: 'baseUrl' }),
    )
  })

  it.each([
    ['apiKey', { apiKey: 'hw_\u2026' }],
    ['apiKey', { apiKey: 'two\nlines' }],
    ['apiKeyHeader', { apiKeyHeader: 'X Key', apiKey: 'key' }],
    ['apiKeyHeader', { apiKeyHeader: '', apiKey: 'key' }],
    ['timeout', { timeout: 0 }],
    ['timeout', { timeout: -1 }],
    ['timeout', { timeout: Number.NaN }],
  ])('refuses a wrong %s, and does not show it: %j', (parameter, wrong) => {
    expect(() => createClient({ baseUrl: 'https://example.org', ...wrong })).toThrow(
      expect.objectContaining({ name: 'InvalidParameterError', parameter, details: undefined }),
    )
  })

  it.each([
    { apiKey: ' key\n' },
    { apiKey: '' },
    { apiKey: 'sch\u00f6n', apiKeyHeader: 'Authorization' },
    { timeout: Infinity },
    { timeout: 0.5 },
  ])('takes %j', (options) => {
    expect(createClient({ baseUrl: 'https://example.org', ...options })).toBeDefined()
  })

  it('takes a host without a window for a server, unless told', () => {
    expect(createClient({ baseUrl: 'https://example.org' }).ssr).toBe(true)
    expect(createClient({ baseUrl: 'https://example.org', ssr: false }).ssr).toBe(false)
  })

  it('clears its own cache when it is destroyed, and leaves that of others alone', () => {
    const own = createClient({ baseUrl: 'https://example.org' })
    own.queryClient.setQueryData(['a'], 1)
    own.destroy()
    expect(own.queryClient.getQueryData(['a'])).toBeUndefined()

    const queryClient = new QueryClient()
    const client = createClient({ baseUrl: 'https://example.org', queryClient })
    queryClient.setQueryData(['a'], 1)
    client.destroy()
    expect(queryClient.getQueryData(['a'])).toBe(1)
  })

  it('aborts what is under way when it is destroyed, and silently what is watched', async () => {
    const ends: Promise<void>[] = []
    let arrived = 0
    const server = await startServer((_, response) => {
      arrived++
      ends.push(new Promise((resolve) => response.on('close', resolve)))
    })
    const { baseUrl } = server
    const queryClient = new QueryClient()
    const client = createClient({ baseUrl, queryClient, ssr: false })
    const [asked, fetched, watched] = [1, 2, 3].map((chain) => ({ address, chainIds: [chain] }))
    const destroyed = { name: 'DestroyedError', isRetryable: false }
    const query = balancesQueryOptions(client, fetched!)
    const rejections = [
      expect(getBalances(client, asked!)).rejects.toMatchObject(destroyed),
      expect(queryClient.fetchQuery(query)).rejects.toMatchObject(destroyed),
    ]
    watchBalances(client, watched!).subscribe()
    await vi.waitFor(() => expect(arrived).toBe(3))
    client.destroy()
    await Promise.all([...rejections, ...ends])
    const { queryKey } = balancesQueryOptions(client, watched!)
    expect(queryClient.getQueryState(queryKey)).toMatchObject({ status: 'pending', error: null })
    await server.close()
  })

  it('sends, charges and waits for nothing after it was destroyed, and completes what comes', async () => {
    const fetch = vi.fn(() => Promise.reject(new Error('sent')))
    const client = createClient({ baseUrl: 'https://example.org', fetch, ssr: false })
    const complete = vi.fn()
    watchBalances(client, { address: 'none' }).subscribe({ complete })
    client.destroy()
    expect(complete).toHaveBeenCalledTimes(1)
    client.usage$.subscribe({ complete })
    expect(complete).toHaveBeenCalledTimes(2)
    const destroyed = { shortMessage: 'The client was destroyed.' }
    await expect(getBalances(client, { address })).rejects.toMatchObject(destroyed)
    await expect(getBalances(client, { address }, { background: true })).rejects.toMatchObject(
      destroyed,
    )
    const query = balancesQueryOptions(client, { address })
    await expect(waitForChange(client, query)).rejects.toMatchObject(destroyed)
    expect(fetch).not.toHaveBeenCalled()
    expect(client.getUsage().spent).toBe(0)
  })

  it('calls back once when it is destroyed, unless that was taken back', () => {
    const client = createClient({ baseUrl: 'https://example.org' })
    const [kept, takenBack] = [vi.fn(), vi.fn()]
    client.onDestroy(kept)
    client.onDestroy(takenBack)()
    client.destroy()
    client.destroy()
    expect(kept).toHaveBeenCalledOnce()
    expect(takenBack).not.toHaveBeenCalled()
  })
})

describe('perClient', () => {
  it('makes one thing a client, at its first use', () => {
    const create = vi.fn(({ baseUrl }: Client) => ({ baseUrl }))
    const thingOf = perClient(create)
    const [first, second] = ['https://a.org', 'https://b.org'].map((baseUrl) =>
      createClient({ baseUrl }),
    )
    expect(create).not.toHaveBeenCalled()
    expect(thingOf(first!)).toBe(thingOf(first!))
    expect(thingOf(second!)).toEqual({ baseUrl: 'https://b.org' })
    expect(create).toHaveBeenCalledTimes(2)
  })
})

describe('the answers of a client', () => {
  it('are told of, whoever asked, and nothing else is', async () => {
    let body: unknown = balancesResponse(balance())
    const server = await startServer((request, response) => answering(body)(request, response))
    const client = createClient({ baseUrl: server.baseUrl })
    const heard: ResponseEvent[] = []
    const listen = (each: ResponseEvent) => void heard.push(each)
    client.responseListeners.add(listen)
    const before = Date.now()
    const parameters = { chainIds: [2, 1], address: address.toUpperCase().replace('0X', '0x') }
    const query = balancesQueryOptions(client, parameters)
    await getBalances(client, parameters)
    await client.queryClient.fetchQuery(query)
    await client.queryClient.fetchQuery({ ...query, staleTime: Infinity })
    body = 'broken'
    await expect(getBalances(client, parameters)).rejects.toThrow()
    expect(heard).toHaveLength(2)
    expect(heard[1]).toMatchObject({
      operation: 'balances',
      parameters: { address, chainIds: [1, 2] },
      response: balancesResponse(balance()),
    })
    expect(heard[1]?.receivedAt).toBeGreaterThanOrEqual(before)
    client.responseListeners.delete(listen)
    body = balancesResponse()
    await getBalances(client, parameters)
    expect(heard).toHaveLength(2)
    await server.close()
  })
})
