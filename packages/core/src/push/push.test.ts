import { focusManager, onlineManager } from '@tanstack/query-core'
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import {
  address,
  balance,
  balancesResponse,
  numberedAddress,
  otherAddress,
} from '../../test/balances.ts'
import { advance, record } from '../../test/clientsInFakeTime.ts'
import { pushInFakeTime } from '../../test/pushInFakeTime.ts'
import { watchResponses } from '../../test/watchResponses.ts'
import type { Client } from '../client/Client.ts'
import { getPolls } from '../inspect/getPolls.ts'
import { balancesQueryOptions, getBalances } from '../operations/balances.ts'
import { watchPrice } from '../prices/watchPrices.ts'
import { getSubjects } from './getSubjects.ts'

const { service, create } = pushInFakeTime()
const minute = 60_000

const watch = (client: Client, options = {}, wallet = address) =>
  record(watchResponses(client, { address: wallet }, options))

/** A client that is connected, after its first request. */
async function connect(options = {}) {
  const client = create()
  const states: string[] = []
  client.connection$.subscribe((state) => states.push(state))
  const watched = watch(client, options)
  await advance(100)
  return { client, states, ...watched }
}

/** Lets time pass, with the heartbeats of the service. */
async function wait(milliseconds: number) {
  for (let elapsed = 0; elapsed < milliseconds; elapsed += 15_000) {
    await advance(Math.min(15_000, milliseconds - elapsed))
    service.heartbeat()
  }
  await advance(0)
}

describe('a client of a service that pushes changes', () => {
  it('requests what has changed, and nothing else', async () => {
    const { states, emitted } = await connect()
    expect(states).toEqual(['polling', 'live'])
    expect(service.streams.map(({ query }) => Object.fromEntries(query))).toEqual([
      { wallets: `31337:${address}`, tokens: '31337:native' },
    ])
    await wait(4 * minute)
    expect(service.requests).toHaveLength(1)
    service.amount = 2
    service.publish({ wallets: [address] })
    await advance(0)
    expect(service.requests).toHaveLength(2)
    expect(emitted.at(-1)?.data?.balances[0]?.amount).toBe('2')
    service.publish({ wallets: [otherAddress] })
    service.publish({ type: 'reorg', ancestor_block_number: 1 })
    await wait(minute)
    expect(service.requests).toHaveLength(2)
    service.publish({ type: 'reset' })
    await advance(0)
    expect(service.requests).toHaveLength(3)
    // Token lists and audits change responses without an event.
    await wait(5 * minute)
    expect(service.requests).toHaveLength(4)
  })

  it('states the units of its next requests, rather than of polls that it does not send', async () => {
    const { client } = await connect({ refetchInterval: 6000 })
    const [followed] = getPolls(client)
    expect(followed).toMatchObject({ reason: 'changes', units: 1, unitsPerMinute: 0.2 })
    service.cut()
    await advance(0)
    expect(getPolls(client)).toMatchObject([{ reason: 'changes', unitsPerMinute: 0 }])
  })

  it('polls what does not fit into the stream, also after the clock was set back', async () => {
    const { client } = await connect()
    for (let wallet = 1; wallet <= 150; wallet++) {
      watch(client, {}, numberedAddress(wallet))
    }
    await advance(1000)
    expect(service.streams).toHaveLength(2)
    vi.setSystemTime(Date.now() - 60 * minute)
    await wait(minute)
    service.requests.length = 0
    await wait(2 * minute)
    const last = service.requests.filter((path) => path.includes(numberedAddress(150)))
    expect(last.length).toBeGreaterThanOrEqual(10)
  })

  it('does not request again what its response already contains', async () => {
    const { client } = await connect()
    service.block = 9
    watch(client, {}, otherAddress)
    await advance(100)
    expect(service.streams).toHaveLength(2)
    expect(service.requests).toHaveLength(2)
    service.block = 4
    service.publish({ wallets: [otherAddress] })
    await wait(minute)
    expect(service.requests).toHaveLength(2)
  })

  it.each(['reorg', 'reset'] as const)(
    'requests again what a %s replaced at the same block',
    async (type) => {
      const { emitted } = await connect()
      const block = service.block
      service.amount = 4
      service.publish({ type, wallets: [address], block_number: block })
      service.block = block
      await advance(100)
      expect(service.requests).toHaveLength(2)
      expect(emitted.at(-1)?.data?.balances[0]?.amount).toBe('4')
      await wait(minute)
      expect(service.requests).toHaveLength(2)
    },
  )

  it('requests what changes at a lower block after a reorg', async () => {
    const { emitted } = await connect()
    service.block = 9
    service.publish({ wallets: [address] })
    await advance(100)
    expect(service.requests).toHaveLength(2)
    service.block = 7
    service.publish({ type: 'reorg', ancestor_block_number: 7 })
    await advance(100)
    service.amount = 9
    service.publish({ wallets: [address] })
    await advance(100)
    expect(service.requests).toHaveLength(3)
    expect(emitted.at(-1)?.data?.balances[0]?.amount).toBe('9')
  })

  it('requests a change that one of another chain follows before a response has it', async () => {
    service.otherBlocks = { 8453: 5 }
    const { emitted } = await connect()
    service.isBehind = true
    service.publish({ wallets: [address] })
    service.otherBlocks = { 8453: 6 }
    service.publish({ chain_id: 8453, block_number: 6, wallets: [address] })
    await advance(100)
    expect(service.requests).toHaveLength(2)
    service.isBehind = false
    service.amount = 3
    await advance(1100)
    expect(emitted.at(-1)?.data?.balances[0]?.amount).toBe('3')
  })

  it('requests a price that changes while a response of an earlier block is expected', async () => {
    await connect()
    service.isBehind = true
    service.publish({ wallets: [address] })
    service.publish({ tokens: ['native'] })
    await advance(100)
    expect(service.requests).toHaveLength(2)
    service.isBehind = false
    await wait(minute + 15_000)
    expect(service.requests).toHaveLength(3)
  })

  it('repeats a request that another process answers as of an earlier block', async () => {
    const { emitted } = await connect()
    service.isBehind = true
    service.publish({ wallets: [address] })
    await advance(100)
    expect(service.requests).toHaveLength(2)
    service.isBehind = false
    service.amount = 3
    await advance(1100)
    expect(service.requests).toHaveLength(3)
    expect(emitted.at(-1)?.data?.balances[0]?.amount).toBe('3')
  })

  it('requests again what another process answers as of an earlier block than before', async () => {
    const { client, emitted } = await connect()
    const shown = () => emitted.at(-1)?.data?.balances[0]?.amount
    service.amount = 2
    service.publish({ wallets: [address] })
    await advance(100)
    expect(shown()).toBe('2')
    service.isBehind = true
    service.amount = 1
    void client.queryClient.invalidateQueries()
    await advance(10)
    expect(shown()).toBe('1')
    service.isBehind = false
    service.amount = 2
    await advance(2000)
    expect(shown()).toBe('2')
    expect(service.requests).toHaveLength(4)
  })

  it('shows a change although a response that was not cached is of a later block', async () => {
    const client = create()
    const page = { address, limit: 10 }
    const { emitted } = record(watchResponses(client, page, { refetchInterval: minute }))
    await advance(100)
    const shown = () => emitted.at(-1)?.data?.balances[0]?.amount
    const { block } = service
    service.block++
    service.amount = 2
    await getBalances(client, page)
    service.block = block
    service.publish({ wallets: [address] })
    await advance(100)
    expect(shown()).toBe('2')
    // Other code writes to the cache during a request, whose response is discarded.
    service.amount = 3
    service.delayMs = 200
    service.publish({ wallets: [address] })
    await advance(100)
    const { queryKey } = balancesQueryOptions(client, page)
    client.queryClient.setQueryData(queryKey, balancesResponse(balance({ amount: '4' })))
    expect(shown()).toBe('4')
    await wait(minute + 1000)
    expect(shown()).toBe('3')
  })

  it.each(['event', 'reorg'])(
    'shows what changes after the clock was set back: %s',
    async (type) => {
      const { emitted } = await connect()
      service.block = 9
      service.publish({ wallets: [address] })
      await advance(100)
      vi.setSystemTime(Date.now() - 60 * minute)
      if (type === 'reorg') {
        service.block = 7
        service.publish({ type, ancestor_block_number: 7 })
      }
      for (const amount of [5, 6]) {
        service.amount = amount
        service.publish({ wallets: [address] })
        await wait(minute)
        expect(emitted.at(-1)?.data?.balances[0]?.amount).toBe(String(amount))
      }
    },
  )

  it('requests a change once after a reorg and after the clock was set back', async () => {
    await connect()
    service.block = 9
    service.publish({ type: 'reorg', ancestor_block_number: 8, wallets: [address] })
    await wait(minute)
    vi.setSystemTime(Date.now() - 60 * minute)
    const before = service.requests.length
    service.publish({ wallets: [address] })
    await wait(10 * minute)
    // With those of every five minutes.
    expect(service.requests.length - before).toBeLessThanOrEqual(4)
  })

  it('requests a change once that a reorg to a much lower head follows', async () => {
    await connect()
    service.block = 99
    service.isBehind = true
    service.publish({ wallets: [address] })
    await advance(100)
    service.isBehind = false
    service.block = 49
    service.publish({ type: 'reorg', ancestor_block_number: 49 })
    await wait(4 * minute)
    expect(service.requests).toHaveLength(3)
  })

  it('requests a change that no response has yet also after the clock was set back', async () => {
    const { emitted } = await connect()
    service.isBehind = true
    service.publish({ wallets: [address] })
    await advance(5000)
    vi.setSystemTime(Date.now() - 60 * minute)
    await wait(15_000)
    service.isBehind = false
    service.amount = 3
    await wait(minute)
    expect(emitted.at(-1)?.data?.balances[0]?.amount).toBe('3')
  })

  it('shows what changes after a reorg and after the clock was set back by a second', async () => {
    const { emitted } = await connect()
    service.block = 9
    service.publish({ wallets: [address] })
    await wait(5000)
    service.block = 8
    service.publish({ type: 'reorg', ancestor_block_number: 7 })
    await advance(10)
    vi.setSystemTime(Date.now() - 1000)
    service.amount = 5
    service.publish({ wallets: [address] })
    await advance(500)
    expect(emitted.at(-1)?.data?.balances[0]?.amount).toBe('5')
  })

  it('shows what changes while a component replaces another one, and later changes', async () => {
    const { client, subscription } = await connect()
    subscription.unsubscribe()
    service.amount = 2
    service.publish({ wallets: [address] })
    await advance(50)
    const { emitted } = watch(client)
    for (const amount of [2, 3]) {
      service.amount = amount
      service.publish({ wallets: [address] })
      await advance(100)
      expect(emitted.at(-1)?.data?.balances[0]?.amount).toBe(String(amount))
    }
  })

  it('shows what changes during a request after a reset of the query', async () => {
    const { client, emitted } = await connect()
    service.delayMs = 500
    void client.queryClient.resetQueries()
    await advance(10)
    service.amount = 2
    service.publish({ wallets: [address] })
    await advance(3000)
    expect(emitted.at(-1)?.data?.balances[0]?.amount).toBe('2')
  })

  it('shows a price that changes again while it is requested', async () => {
    service.row = () => ({ price_usd: service.amount })
    const client = create()
    const { emitted } = record(watchPrice(client, { chainId: 31337, address: 'native' }))
    await wait(2 * minute)
    service.delayMs = 500
    for (const amount of [2, 3]) {
      service.amount = amount
      service.publish({ tokens: ['native'] })
      await advance(100)
    }
    await wait(minute + 15_000)
    expect(emitted.at(-1)).toMatchObject({ data: { price_usd: 3 } })
  })

  it('is requested every five minutes, also after a price has changed', async () => {
    await connect({ refetchInterval: 5 * minute })
    service.publish({ tokens: ['native'] })
    await wait(11 * minute)
    expect(service.requests).toHaveLength(3)
  })

  it('costs no more than polling while responses are of earlier blocks than events', async () => {
    await connect()
    service.isBehind = true
    service.publish({ wallets: [address] })
    await wait(10 * minute)
    expect(service.requests.length).toBeLessThanOrEqual(60 + 7)
    const before = service.requests.length
    for (let block = 0; block < 600; block++) {
      service.publish({ wallets: [address] })
      await advance(1000)
    }
    expect(service.requests.length - before).toBeLessThanOrEqual(60 + 7)
  })

  it('costs no more than polling on a busy chain, and a sixth for prices', async () => {
    await connect()
    for (let block = 0; block < 600; block++) {
      service.publish({ tokens: ['native'] })
      await advance(1000)
    }
    expect(service.requests.length).toBeLessThanOrEqual(11)
    const before = service.requests.length
    for (let block = 0; block < 600; block++) {
      service.publish({ wallets: [address] })
      await advance(1000)
    }
    expect(service.requests.length - before).toBeLessThanOrEqual(60 + 7)
    expect(service.requests.length - before).toBeGreaterThan(50)
  })

  it('follows prices that no watched response contains', async () => {
    const { client } = await connect()
    record(watchPrice(client, { chainId: 31337, address: 'native' }))
    await wait(2 * minute)
    expect(service.streams.at(-1)?.query.get('tokens')).toBe('31337:native')
    const before = service.requests.length
    service.publish({ tokens: ['native'] })
    await advance(200)
    expect(service.requests.length).toBe(before + 1)
  })
})

describe('a client without a usable stream', () => {
  it.each(['missing', 'pending', 'buffered'] as const)(
    'polls while the stream is %s',
    async (fault) => {
      service.fault = fault
      const { states } = await connect()
      await advance(minute)
      expect(service.requests.length).toBeGreaterThan(5)
      expect(states).toEqual(['polling'])
      service.fault = 'none'
      await wait(6 * minute)
      expect(states.at(-1)).toBe('live')
    },
  )

  it('opens a stream again when the service allows it', async () => {
    service.fault = 'limited'
    await connect()
    await advance(29_000)
    expect(service.streams).toHaveLength(1)
    await advance(2000)
    expect(service.streams).toHaveLength(2)
  })

  it('polls with `push: false`, and where the service does not push', async () => {
    watch(create({ push: false }))
    await advance(minute)
    expect(service.streams).toEqual([])
    expect(service.requests.length).toBeGreaterThan(5)
  })

  it('resumes a cut stream where it ended', async () => {
    const { states } = await connect()
    service.publish({ wallets: [address] })
    await advance(10)
    service.cut()
    await advance(10)
    service.amount = 5
    service.publish({ wallets: [address] })
    await advance(2000)
    expect(states).toEqual(['polling', 'live'])
    expect(service.streams.map(({ lastEventId }) => lastEventId)).toEqual([null, '1'])
    expect(service.requests).toHaveLength(3)
    // A stream that falls silent, without an end.
    await advance(40_000)
    expect(service.streams).toHaveLength(3)
    expect(service.requests).toHaveLength(3)
  })

  it('requests nothing again when a stream resumes, or when it follows more', async () => {
    const { client, states } = await connect()
    service.publish({ wallets: [otherAddress] })
    await wait(minute)
    service.cut()
    await advance(3000)
    expect(service.streams).toHaveLength(2)
    watch(client, {}, otherAddress)
    await advance(200)
    expect(service.streams).toHaveLength(3)
    await wait(minute)
    expect(service.requests.map((request) => request.includes(address))).toEqual([true, false])
    expect(states).toEqual(['polling', 'live'])
  })

  it('reports that it polls once a cut stream has not resumed in time', async () => {
    const { states } = await connect()
    service.fault = 'missing'
    service.cut()
    await advance(3000)
    expect(states).toEqual(['polling', 'live'])
    await advance(1000)
    expect(states).toEqual(['polling', 'live', 'polling'])
  })

  it('requests what changed before its first stream', async () => {
    const client = create()
    const { emitted } = watch(client)
    await advance(10)
    service.block = 2
    service.amount = 7
    await advance(200)
    expect(service.requests).toHaveLength(2)
    expect(emitted.at(-1)?.data?.balances[0]?.amount).toBe('7')
    await wait(minute)
    expect(service.requests).toHaveLength(2)
  })

  it('polls a chain that is not pushed', async () => {
    await connect()
    for (const controller of service.open) {
      const heartbeat = 'data: {"type":"heartbeat","chains":[]}\n\n'
      controller.enqueue(new TextEncoder().encode(heartbeat))
    }
    await advance(30_000)
    expect(service.requests.length).toBeGreaterThanOrEqual(3)
  })
})

describe('the subjects of a response', () => {
  const rows = [{ chain_id: 1, address: '0xAB' }]
  it.each([
    [{ balances: rows }, ['wallets/1:0xcd', 'tokens/1:0xab']],
    [{ balances: [], errors: { token_errors: [{}] } }, ['wallets/1:0xcd']],
    [{ balances: [], warnings: [{ code: 'DEPEGGED' }] }, ['wallets/1:0xcd']],
    [{ balances: [], errors: { chain_errors: [{}] } }, undefined],
    [{ balances: [], warnings: [{ code: 'PARTIAL_HISTORY' }] }, undefined],
  ])('of %j', (data, subjects) => {
    expect(getSubjects('balances', { address: '0xCD' }, data, [1])).toEqual(subjects)
  })
})

describe('the stream', () => {
  it('is closed while the page is hidden or offline, and resumed afterwards', async () => {
    const { states } = await connect()
    focusManager.setFocused(false)
    await advance(100)
    expect(service.open.size).toBe(0)
    service.publish({ wallets: [address] })
    await advance(minute)
    expect(service.requests).toHaveLength(1)
    focusManager.setFocused(true)
    await advance(200)
    expect(service.streams.at(-1)?.lastEventId).toBe('0')
    expect(service.requests).toHaveLength(2)
    onlineManager.setOnline(false)
    expect(states.at(-1)).toBe('offline')
    await advance(100)
    expect(service.open.size).toBe(0)
  })

  it('is one for all streams of a client, and ends with the last or with the client', async () => {
    const { client, subscription } = await connect()
    const other = watch(client, {}, otherAddress)
    await advance(200)
    expect(service.open.size).toBe(1)
    subscription.unsubscribe()
    other.subscription.unsubscribe()
    await advance(1000)
    expect(service.open.size).toBe(0)
    expect(vi.getTimerCount()).toBe(0)
    watch(client, { staleTime: Infinity })
    await advance(200)
    expect(service.open.size).toBe(1)
    client.destroy()
    await advance(0)
    expect(service.open.size).toBe(0)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('requests a changed price once after the clock was set back during a request', async () => {
    service.row = () => ({ price_usd: service.block })
    service.delayMs = 800
    const { emitted } = record(watchPrice(create(), { chainId: 31337, address: 'native' }))
    await advance(400)
    vi.setSystemTime(Date.now() - 60 * minute)
    await advance(1000)
    expect(emitted.at(-1)?.data?.price_usd).toBe(1)
    service.publish({ tokens: ['native'] })
    await wait(2 * minute)
    expect(emitted.at(-1)?.data?.price_usd).toBe(2)
    expect(service.requests).toHaveLength(2)
  })

  it('ends without a request when the client is destroyed', async () => {
    const { client } = await connect()
    await wait(2 * minute)
    client.destroy()
    await advance(100)
    expect(service.requests).toHaveLength(1)
    expect(client.getUsage().spent).toBe(1)
  })

  it('is not opened for what is not polled', async () => {
    await connect({ refetchInterval: false })
    expect(service.streams).toEqual([])
    const server = create({ ssr: true })
    watch(server)
    await advance(minute)
    expect(service.streams).toEqual([])
  })
})

describe('whatever happens to the stream', () => {
  const step = fc.oneof(
    { weight: 4, arbitrary: fc.constant('change') },
    fc.constantFrom('other', 'reorg', 'rewind', 'cut', 'heartbeat'),
    fc.constantFrom('missing', 'pending', 'buffered', 'none', 'behind'),
    fc.constantFrom('hide', 'show', 'mount', 'unmount'),
  )
  const steps = fc.array(fc.record({ step, pause: fc.constantFrom(0, 10, 700, 5000, 40_000) }), {
    maxLength: 40,
  })

  it('shows each change once and in order, and the latest within a polling interval', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (drawn) => {
        service.reset()
        const client = create()
        const { emitted, subscription } = watch(client)
        let other: ReturnType<typeof watch> | undefined
        await advance(100)
        try {
          for (const { step, pause } of drawn) {
            if (step === 'change' || step === 'reorg') {
              service.amount++
              const isReorg = step === 'reorg' && { ancestor_block_number: 1 }
              const type = isReorg ? 'reorg' : 'change'
              service.publish({ type, wallets: [address, otherAddress], ...isReorg })
            } else if (step === 'rewind') {
              // To a lower block, of a branch on which nothing that is watched differs. Times have milliseconds.
              await advance(1)
              service.block = Math.max(0, service.block - 4)
              service.publish({ type: 'reorg', ancestor_block_number: service.block })
            } else if (step === 'other') {
              service.publish({ wallets: [otherAddress] })
            } else if (step === 'cut') {
              service.cut()
            } else if (step === 'heartbeat') {
              service.heartbeat()
            } else if (step === 'hide' || step === 'show') {
              focusManager.setFocused(step === 'show')
            } else if (step === 'mount') {
              other ??= watch(client, {}, otherAddress)
            } else if (step === 'unmount') {
              other?.subscription.unsubscribe()
              other = undefined
            } else if (step === 'behind') {
              service.isBehind = !service.isBehind
            } else {
              service.fault = step
              service.cut()
            }
            await advance(pause)
          }
          service.fault = 'none'
          service.isBehind = false
          focusManager.setFocused(true)
          // One interval, what a burst of changes delays, and the time after which a cut stream no longer counts.
          await advance(10_000 + 10_000 + 4_000)
          const amounts = emitted.flatMap(({ data }) => data?.balances[0]?.amount ?? [])
          expect(amounts.at(-1)).toBe(String(service.amount))
          const latest = (other ?? { emitted }).emitted.at(-1)
          expect(latest?.data?.balances[0]?.amount).toBe(String(service.amount))
          expect(amounts).toEqual([...new Set(amounts)].sort((a, b) => Number(a) - Number(b)))
        } finally {
          subscription.unsubscribe()
          other?.subscription.unsubscribe()
          client.destroy()
          focusManager.setFocused(true)
          await advance(100)
        }
        expect([service.open.size, vi.getTimerCount()]).toEqual([0, 0])
      }),
      { numRuns: Number(process.env['PUSH_RUNS'] ?? 60) },
    )
  })
})
