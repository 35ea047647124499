import { onlineManager, QueryClient } from '@tanstack/query-core'
import { describe, expect, it } from 'vitest'
import { address, balance, balancesResponse } from '../../test/balances.ts'
import { sharedServer } from '../../test/sharedServer.ts'
import { respondWith } from '../../test/startServer.ts'
import { createClient } from '../client/createClient.ts'
import { balancesQueryOptions, getBalances } from './balances.ts'

const { server, create } = await sharedServer(respondWith(balancesResponse(balance())))
describe('getBalances', () => {
  it('requests a path below the base URL', async () => {
    const client = createClient({ baseUrl: `${server.baseUrl}/proxy/`, apiKey: 'key' })
    expect(await getBalances(client, { address, chainIds: [31337] })).toEqual(
      balancesResponse(balance()),
    )
    expect(server.requests.map(({ url }) => url)).toEqual([
      `/proxy/v1/evm/balances/${address}?chain_ids=31337`,
    ])
  })

  it.each([
    ['address', { address: '0x1' }],
    ['historicalPrices', { historicalPrices: [1, 2, 3, 4] }],
    ['historicalPrices', { historicalPrices: [0] }],
    ['limit', { limit: 0 }],
    ['limit', { limit: 'ten' }],
    ['chain_ids', { chain_ids: [1] }],
  ])('rejects an invalid %s before sending: %j', async (parameter, wrong) => {
    const client = createClient({ baseUrl: server.baseUrl })
    await expect(getBalances(client, { address, ...wrong } as never)).rejects.toMatchObject({
      name: 'InvalidParameterError',
      parameter,
    })
    expect(server.requests).toHaveLength(0)
  })

  it('sends nothing if its signal was aborted', async () => {
    const client = createClient({ baseUrl: server.baseUrl })
    const reason = new Error('gone')
    const options = { signal: AbortSignal.abort(reason) }
    await expect(getBalances(client, { address }, options)).rejects.toBe(reason)
    expect(server.requests).toHaveLength(0)
  })

  it('sends one attempt', async () => {
    server.use(respondWith({ error: 'No' }, { status: 500 }))
    const client = create()
    await expect(getBalances(client, { address })).rejects.toMatchObject({ status: 500 })
    expect(server.requests).toHaveLength(1)
  })
})

describe('balancesQueryOptions', () => {
  it('fit any query client, which deduplicates equal parameters', async () => {
    const client = createClient({ baseUrl: server.baseUrl, apiKey: 'secret' })
    const queryClient = new QueryClient({ defaultOptions: { queries: { staleTime: 60_000 } } })
    const upper = `0x${address.slice(2).toUpperCase()}`
    const options = balancesQueryOptions(client, { address })
    await queryClient.fetchQuery(options)
    await queryClient.fetchQuery(balancesQueryOptions(client, { address: upper }))
    expect(server.requests).toHaveLength(1)
    expect(queryClient.getQueryData(options.queryKey)).toEqual(balancesResponse(balance()))
    expect(JSON.stringify(options.queryKey)).not.toContain('secret')
  })

  it('fail offline without a retry', async () => {
    onlineManager.setOnline(false)
    try {
      let attempts = 0
      const fetch = () => Promise.reject(new TypeError(`fetch failed ${++attempts}`))
      const client = create({ fetch })
      const options = balancesQueryOptions(client, { address })
      await expect(new QueryClient().fetchQuery(options)).rejects.toMatchObject({
        name: 'NetworkError',
      })
      expect(attempts).toBe(1)
    } finally {
      onlineManager.setOnline(true)
    }
  })

  it('retry by the rules of the package, and never on a server', async () => {
    server.use((request, response) => {
      const status = server.requests.length === 1 ? 503 : 200
      respondWith(balancesResponse(), { status, headers: { 'retry-after': '0' } })(
        request,
        response,
      )
    })
    const client = create()
    const options = { ...balancesQueryOptions(client, { address }), retryDelay: 0 }
    expect(await new QueryClient().fetchQuery(options)).toEqual(balancesResponse())
    expect(server.requests).toHaveLength(2)

    server.requests.length = 0
    const rendering = createClient({ baseUrl: server.baseUrl, ssr: true })
    const onServer = balancesQueryOptions(rendering, { address })
    await expect(new QueryClient().fetchQuery(onServer)).rejects.toMatchObject({ status: 503 })
    expect(server.requests).toHaveLength(1)
  })
})
