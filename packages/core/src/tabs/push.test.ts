import { dehydrate, hydrate, QueryClient } from '@tanstack/query-core'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  address,
  balance,
  balancesResponse,
  numberedAddress,
  otherAddress,
} from '../../test/balances.ts'
import { record } from '../../test/clientsInFakeTime.ts'
import { pushInFakeTime } from '../../test/pushInFakeTime.ts'
import { advance } from '../../test/tabsInFakeTime.ts'
import { watchResponses } from '../../test/watchResponses.ts'
import { setBudget } from '../budget/setBudget.ts'
import type { ClientOptions } from '../client/Client.ts'
import { balancesQueryOptions } from '../operations/balances.ts'
import { watchPrice } from '../prices/watchPrices.ts'
import { broadcastClient } from './broadcastClient.ts'

const { service, create } = pushInFakeTime()
// Messages and locks are real.
beforeEach(
  () => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] }),
)

/** A tab that shows a wallet. */
function open(options: Partial<ClientOptions> = {}) {
  const client = create(options)
  const leave = broadcastClient(client)
  const states: string[] = []
  client.connection$.subscribe((state) => states.push(state))
  const { emitted } = record(watchResponses(client, { address }))
  return { client, leave, states, amount: () => emitted.at(-1)?.data?.balances[0]?.amount }
}

it('a tab knows at once that changes are pushed to another one, and as long as they are', async () => {
  const one = open()
  await advance(300)
  const two = open()
  await advance(300)
  expect([one.states.at(-1), two.states.at(-1)]).toEqual(['live', 'live'])
  // A busy chain: no heartbeat is due between changes.
  for (let second = 0; second < 60; second += 10) {
    service.amount++
    service.publish({ wallets: [address] })
    await advance(10_000)
  }
  expect(two.states).toEqual(['polling', 'live'])
  expect(two.amount()).toBe(String(service.amount))
  expect(service.streams).toHaveLength(1)
})

it('a tab that opens after blocks without a change does not poll what the leader follows', async () => {
  open()
  await advance(300)
  service.publish()
  const { states } = open()
  for (let seconds = 0; seconds < 60; seconds += 10) {
    await advance(10_000)
    service.heartbeat()
  }
  await advance(0)
  expect(states.at(-1)).toBe('live')
  expect(service.requests).toHaveLength(1)
})

it('a tab whose leader is closed shows what has changed meanwhile', async () => {
  const one = open()
  await advance(300)
  const two = open()
  await advance(300)
  one.client.destroy()
  service.amount = 7
  service.publish({ wallets: [address] })
  await advance(300)
  expect(two.amount()).toBe('7')
  expect(two.states.at(-1)).toBe('live')
  service.amount = 8
  service.publish({ wallets: [address] })
  await advance(300)
  expect(two.amount()).toBe('8')
})

it.each([{ chainIds: [31337] }, {}])(
  'a tab whose leader is closed requests what it shows as its budget allows: %j',
  async (chains) => {
    const wallets = [1, 2, 3, 4, 5, 6].map(numberedAddress)
    const show = () => {
      const client = create()
      broadcastClient(client)
      return {
        client,
        shown: wallets.map((each) => record(watchResponses(client, { address: each, ...chains }))),
      }
    }
    const one = show()
    await advance(300)
    const two = show()
    await advance(300)
    const onExhausted = vi.fn()
    setBudget(two.client, { perMinute: 4, onExhausted })
    const { length } = service.requests
    one.client.destroy()
    await advance(1000)
    expect(service.requests.length - length).toBe(3)
    await advance(120_000)
    const requested = service.requests.slice(length)
    expect(wallets.filter((each) => !requested.some((path) => path.includes(each)))).toEqual([])
    expect(two.shown.flatMap((each) => each.emitted).filter(({ error }) => error)).toEqual([])
    expect(onExhausted).not.toHaveBeenCalled()
  },
)

it.each([true, false])(
  'a tab that leaves its group is not live by the stream of another one; push: %s',
  async (push) => {
    open()
    await advance(300)
    const two = open({ push })
    await advance(300)
    expect(two.states).toEqual(['polling', 'live'])
    two.leave()
    expect(two.states.at(-1)).toBe('polling')
    // It opens a stream of its own once a response shows that the service pushes changes.
    await advance(11_000)
    expect(two.states.at(-1)).toBe(push ? 'live' : 'polling')
    expect(service.streams).toHaveLength(push ? 2 : 1)
  },
)

it.each(['has no units', 'cannot request'])('a tab polls while its leader %s', async (fault) => {
  let isFailing = false
  const one = open({
    fetch: (async (url: string, init) =>
      isFailing && !url.includes('/changes')
        ? Promise.reject(new TypeError('failed'))
        : service.fetch(url, init)) as typeof fetch,
  })
  await advance(300)
  const two = open()
  await advance(300)
  if (fault === 'has no units') {
    setBudget(one.client, { total: 1 })
  } else {
    isFailing = true
  }
  service.amount = 7
  service.publish({ wallets: [address] })
  for (let elapsed = 0; elapsed < 60_000; elapsed += 15_000) {
    await advance(15_000)
    service.heartbeat()
  }
  expect(two.amount()).toBe('7')
  expect(two.states.at(-1)).toBe('polling')
})

it('all tabs show what changes after the clock was set back', async () => {
  const tabs = [open(), open()]
  await advance(300)
  vi.setSystemTime(Date.now() - 60 * 60_000)
  service.amount = 7
  service.publish({ wallets: [address] })
  await advance(60_000)
  expect(tabs.map((tab) => tab.amount())).toEqual(['7', '7'])
})

it('a leader that leaves its group remains live', async () => {
  const { states, leave } = open()
  await advance(300)
  leave()
  await advance(300)
  expect(states).toEqual(['polling', 'live'])
})

it('a tab is not live any more, and polls, when its leader is silent', async () => {
  const one = open()
  await advance(300)
  const two = open()
  await advance(300)
  const { length } = service.requests
  // As of a page that is frozen.
  vi.spyOn(one.client.streams.poller.coordinator!, 'sendLive').mockReturnValue()
  vi.spyOn(one.client.streams.poller, 'pollDue').mockReturnValue()
  await advance(44_000)
  expect(two.states.at(-1)).toBe('live')
  expect(service.requests).toHaveLength(length)
  await advance(1500)
  expect(two.states.at(-1)).toBe('polling')
  expect(service.requests).toHaveLength(length + 1)
})

it('a tab does not poll while the stream of its leader is cut or follows more', async () => {
  const one = open()
  await advance(300)
  open()
  await advance(300)
  const { length } = service.requests
  for (let second = 0; second < 60; second += 10) {
    await advance(10_000)
    service.heartbeat()
  }
  service.cut()
  await advance(3000)
  record(watchResponses(one.client, { address: otherAddress }))
  await advance(1000)
  expect(service.streams).toHaveLength(3)
  expect(service.requests.slice(length).every((path) => path.includes(otherAddress))).toBe(true)
})

/** Lets time pass on a chain with a block each second. */
async function passBlocks(seconds: number) {
  for (let second = 0; second < seconds; second++) {
    service.publish()
    await advance(1000)
  }
}

it('a tab polls what a server with another clock has rendered before a change', async () => {
  const server = create({ ssr: true })
  await server.queryClient.prefetchQuery(balancesQueryOptions(server, { address }))
  open()
  await advance(300)
  service.amount = 2
  service.publish({ wallets: [address] })
  await advance(5000)
  const state = dehydrate(server.queryClient)
  Object.assign(state.queries[0]!.state, { dataUpdatedAt: Date.now() })
  const queryClient = new QueryClient()
  hydrate(queryClient, JSON.parse(JSON.stringify(state)))
  const two = open({ queryClient })
  await advance(300)
  expect(two.states.at(-1)).toBe('live')
  expect(two.amount()).toBe('1')
  await advance(25_000)
  expect(two.amount()).toBe('2')
})

it('a tab polls an optimistic update, which its leader does not know', async () => {
  open()
  await advance(300)
  const { client, amount } = open()
  await advance(300)
  await passBlocks(60)
  const { queryKey } = balancesQueryOptions(client, { address })
  client.queryClient.setQueryData(queryKey, balancesResponse(balance({ amount: '999' })))
  expect(amount()).toBe('999')
  const { length } = service.requests
  await passBlocks(25)
  expect(amount()).toBe('1')
  await passBlocks(120)
  expect(service.requests).toHaveLength(length + 1)
})

describe('a price that a tab watches', () => {
  const native = { chainId: 31337, address: 'native' }
  let price_usd = 1
  beforeEach(() => {
    price_usd = 1
    service.row = (path) =>
      path.includes(otherAddress) ? { address: numberedAddress(7) } : { price_usd }
  })

  /** A leader with two wallets, of which one has the token, and another tab with its price. */
  async function openWithPrice() {
    const leader = create()
    broadcastClient(leader)
    record(watchResponses(leader, { address: otherAddress }))
    const wallet = record(watchResponses(leader, { address }))
    await advance(300)
    const follower = create()
    broadcastClient(follower)
    const { emitted } = record(watchPrice(follower, native))
    await passBlocks(60)
    return { wallet, shown: () => emitted.at(-1)?.data?.price_usd }
  }

  it('is requested by its leader when it changes', async () => {
    const { shown } = await openWithPrice()
    const { length } = service.requests
    await passBlocks(120)
    expect(service.requests).toHaveLength(length)
    price_usd = 2
    service.publish({ tokens: ['native'] })
    await advance(1000)
    expect(shown()).toBe(2)
    expect(service.requests).toHaveLength(length + 1)
  })

  it('is polled by the tab once its leader does not follow it any more', async () => {
    const { wallet, shown } = await openWithPrice()
    wallet.subscription.unsubscribe()
    await advance(1000)
    price_usd = 2
    await passBlocks(30)
    expect(shown()).toBe(2)
  })
})

describe('a leader of another version', () => {
  /** Replaces what it reports to follow. */
  const report = (followed: readonly string[] | undefined) => {
    const { postMessage } = BroadcastChannel.prototype
    vi.spyOn(BroadcastChannel.prototype, 'postMessage').mockImplementation(function (
      this: BroadcastChannel,
      message: object,
    ) {
      postMessage.call(this, { ...message, followed })
    })
  }
  afterEach(() => void vi.restoreAllMocks())

  it('that reports nothing requests the queries of other tabs, but their prices are polled', async () => {
    report(undefined)
    open()
    await advance(300)
    const { client } = open()
    record(watchPrice(client, { chainId: 31337, address: 'native' }))
    await advance(300)
    const { length } = service.requests
    await passBlocks(60)
    const requested = service.requests.slice(length)
    expect(requested.length).toBeGreaterThan(2)
    expect(requested.filter((path) => !path.includes('/token/'))).toEqual([])
  })

  it('that does not know an operation leaves it to the tab', async () => {
    report(['tokenInfo'])
    open()
    await advance(300)
    open()
    await advance(300)
    const { length } = service.requests
    await passBlocks(60)
    expect(service.requests.length - length).toBeGreaterThan(2)
  })
})
