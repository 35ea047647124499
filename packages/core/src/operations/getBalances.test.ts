import { onlineManager, QueryClient } from '@tanstack/query-core'
import { describe, expect, it } from 'vitest'
import { address, balance, balancesResponse } from '../../test/balances.ts'
import { sharedServer } from '../../test/sharedServer.ts'
import { answering } from '../../test/startServer.ts'
import { createClient } from '../client/createClient.ts'
import { balancesQueryOptions, getBalances } from './balances.ts'

const { server, create } = await sharedServer(answering(balancesResponse(balance())))
describe('getBalances', () => {
  it('asks under the path of the base URL', async () => {
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
  ])('refuses a wrong %s before it sends: %j', async (parameter, wrong) => {
    const client = createClient({ baseUrl: server.baseUrl })
    await expect(getBalances(client, { address, ...wrong } as never)).rejects.toMatchObject({
      name: 'InvalidParameterError',
      parameter,
    })
    expect(server.requests).toHaveLength(0)
  })

  it('does not send when its signal was aborted', async () => {
    const client = createClient({ baseUrl: server.baseUrl })
    const reason = new Error('gone')
    const options = { signal: AbortSignal.abort(reason) }
    await expect(getBalances(client, { address }, options)).rejects.toBe(reason)
    expect(server.requests).toHaveLength(0)
  })

  it('tries once', async () => {
    server.answerWith(answering({ error: 'No' }, { status: 500 }))
    const client = create()
    await expect(getBalances(client, { address })).rejects.toMatchObject({ status: 500 })
    expect(server.requests).toHaveLength(1)
  })
})

describe('balancesQueryOptions', () => {
  it('fit any query client, which then asks equal questions once', async () => {
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

  it('settle without a network, and do not try again', async () => {
    onlineManager.setOnline(false)
    try {
      let asked = 0
      const fetch = () => Promise.reject(new TypeError(`fetch failed ${++asked}`))
      const client = create({ fetch })
      const options = balancesQueryOptions(client, { address })
      await expect(new QueryClient().fetchQuery(options)).rejects.toMatchObject({
        name: 'NetworkError',
      })
      expect(asked).toBe(1)
    } finally {
      onlineManager.setOnline(true)
    }
  })

  it('retry by their own rules, and never on a server', async () => {
    server.answerWith((request, response) => {
      const status = server.requests.length === 1 ? 503 : 200
      answering(balancesResponse(), { status, headers: { 'retry-after': '0' } })(request, response)
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
