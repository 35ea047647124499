import { dehydrate, type DehydratedState, hydrate } from '@tanstack/query-core'
import { describe, expect, it } from 'vitest'
import { address, balance, balancesResponse, otherAddress } from '../../test/balances.ts'
import { advance, record } from '../../test/clientsInFakeTime.ts'
import { pushInFakeTime } from '../../test/pushInFakeTime.ts'
import type { Client } from '../client/Client.ts'
import { balancesQueryOptions, watchBalances } from '../operations/balances.ts'
import { watchPrice } from '../prices/watchPrices.ts'

const { service, create } = pushInFakeTime()
const minute = 60_000

/** The cache of a server that has rendered a wallet, as it is sent in the page. */
async function render(update?: (client: Client) => void, wallet = address): Promise<string> {
  const client = create({ ssr: true })
  await client.queryClient.prefetchQuery(balancesQueryOptions(client, { address: wallet }))
  update?.(client)
  await advance(100)
  const state = JSON.stringify(dehydrate(client.queryClient))
  client.destroy()
  return state
}

/** A client of a browser with a cache that was sent in the page. */
function open(state: string, options = {}) {
  const client = create(options)
  hydrate(client.queryClient, JSON.parse(state) as DehydratedState)
  return client
}

describe('a client whose cache is that of a server', () => {
  it('follows changes at once, without a request, and the server does not', async () => {
    const state = await render()
    expect(service.streams).toHaveLength(0)
    const client = open(state)
    const { emitted } = record(watchBalances(client, { address }))
    await advance(100)
    expect(client.connection$.getSnapshot()).toBe('live')
    expect(service.requests).toHaveLength(1)
    service.amount = 2
    service.publish({ wallets: [address] })
    await advance(0)
    expect(emitted.at(-1)?.data?.[0]?.amount).toBe('2')
    await advance(minute)
    expect(service.requests).toHaveLength(2)
  })

  it('requests what may have changed since the page was rendered', async () => {
    const state = await render()
    service.amount = 2
    service.publish({ wallets: [address] })
    const { emitted } = record(watchBalances(open(state), { address }))
    await advance(100)
    expect(emitted.at(-1)?.data?.[0]?.amount).toBe('2')
    expect(service.requests).toHaveLength(2)
  })

  it('follows a price, if nothing else is watched', async () => {
    const client = open(await render())
    record(watchPrice(client, { chainId: 31337, address: 'native' }))
    await advance(100)
    expect(client.connection$.getSnapshot()).toBe('live')
    expect(service.requests).toHaveLength(1)
  })

  it('requests a price that is older than data of other wallets', async () => {
    service.row = (path) =>
      path.includes(otherAddress)
        ? { address: otherAddress }
        : { price_usd: service.block, value_usd: service.block }
    const client = open(await render())
    service.publish({ tokens: ['native'] })
    await advance(2000)
    const state = await render(undefined, otherAddress)
    hydrate(client.queryClient, JSON.parse(state) as DehydratedState)
    const { emitted } = record(watchPrice(client, { chainId: 31337, address: 'native' }))
    await advance(minute)
    expect(emitted.at(-1)?.data?.price_usd).toBe(2)
  })

  it('follows data that replaces that of a query, as after a navigation', async () => {
    const client = create()
    const { emitted } = record(watchBalances(client, { address }))
    await advance(100)
    service.amount = 2
    await advance(1000)
    hydrate(client.queryClient, JSON.parse(await render()) as DehydratedState)
    expect(emitted.at(-1)?.data?.[0]?.amount).toBe('2')
    const before = service.requests.length
    await advance(minute)
    expect(service.requests).toHaveLength(before)
  })

  it('polls data that other code has written', async () => {
    const write = (client: Client) => {
      const { queryKey } = balancesQueryOptions(client, { address })
      client.queryClient.setQueryData(queryKey, balancesResponse(balance({ amount: '9' })))
    }
    const { emitted } = record(watchBalances(open(await render(write)), { address }))
    expect(emitted.at(-1)?.data?.[0]?.amount).toBe('9')
    await advance(10_500)
    expect(emitted.at(-1)?.data?.[0]?.amount).toBe('1')
  })

  it('does not follow changes without push', async () => {
    record(watchBalances(open(await render(), { push: false }), { address }))
    await advance(100)
    expect(service.streams).toHaveLength(0)
  })
})
