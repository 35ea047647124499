import type { IncomingMessage, ServerResponse } from 'node:http'
import { QueryClient } from '@tanstack/query-core'
import fc from 'fast-check'
import { map } from 'rxjs'
import { TestScheduler } from 'rxjs/testing'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { balances, tokenInfo } from '@headwater/contract'
import { address, balance, balancesResponse, otherAddress } from '../../test/balances.ts'
import { startServer } from '../../test/startServer.ts'
import { type Client } from '../client/Client.ts'
import {
  balancesQueryOptions,
  createClient,
  getBalances,
  getTokenHolders,
  getTokenInfo,
  type Usage,
  watchBalances,
} from '../index.ts'
import { type Charge, UsageTracker } from './UsageTracker.ts'

/** The outcome of a request. */
type Outcome =
  | 'success'
  | 'success without headers'
  | 'HTML'
  | 'truncated'
  | 'rejection'
  | 'fault'
  | 'reset'
  | 'hang'
  | 'late success'

const holders = { token_address: otherAddress, chain_id: 1, holders: [] }
const info = { contract_address: 'native', tokens: [{ chain_id: 1 }] }

let server: Awaited<ReturnType<typeof startServer>>
/** The units that the service charged, by operation. */
let charged: Record<string, number>
/** The outcomes of the next requests. */
let outcomes: Outcome[]
/** Called when a request arrived that gets no response. */
let onHang: () => void
const clients: Client[] = []

const create = (options: Partial<Parameters<typeof createClient>[0]> = {}) => {
  const client = createClient({ baseUrl: server.baseUrl, ...options })
  clients.push(client)
  return client
}

function charge(url: string): { operation: string; cost: number; body: unknown } {
  const of = (operation: string, cost: number, body: unknown) => {
    charged[operation] = (charged[operation] ?? 0) + cost
    return { operation, cost, body }
  }
  if (url.includes('token-info')) {
    return of('tokenInfo', 2, info)
  }
  if (url.includes('token-holders')) {
    return of('tokenHolders', 2, holders)
  }
  const chains = new URL(url, 'http://localhost').searchParams.get('chain_ids')?.split(',')
  // Each tag selects three chains, and the default set four.
  const cost = chains?.reduce((sum, chain) => sum + (/^\d/.test(chain) ? 1 : 3), 0) ?? 4
  return of('balances', cost, balancesResponse(balance()))
}

function respond(request: IncomingMessage, response: ServerResponse) {
  const outcome = outcomes.shift() ?? 'success'
  const { url = '' } = request
  if (outcome === 'reset') {
    return void response.destroy()
  }
  if (outcome === 'rejection') {
    return void response.writeHead(429).end('{"error":"No"}')
  }
  if (outcome === 'fault') {
    return void response.writeHead(503).end('{"error":"No"}')
  }
  const { cost, body } = charge(url)
  if (outcome === 'hang') {
    return onHang()
  }
  if (outcome === 'late success') {
    onHang()
  }
  const headers =
    outcome === 'success without headers' ? {} : { 'x-compute-units-cost': String(cost) }
  const text = outcome === 'HTML' ? '<html>' : JSON.stringify(body)
  if (outcome !== 'truncated') {
    return void response.writeHead(200, headers).end(text)
  }
  response.writeHead(200, { ...headers, 'content-length': text.length }).write(text.slice(0, 9))
  setTimeout(() => response.destroy(), 5)
}

beforeEach(async () => {
  charged = {}
  outcomes = []
  onHang = () => {}
  server = await startServer(respond)
})
afterEach(async () => {
  for (const client of clients.splice(0)) {
    client.destroy()
  }
  await server.close()
})

const sum = (units: Record<string, number>) => Object.values(units).reduce((a, b) => a + b, 0)

describe('the usage tracker', () => {
  it('counts what the service charged for responses, failures, retries and cancellations', async () => {
    const anyOutcome = fc.constantFrom<Outcome>(
      'success',
      'success without headers',
      'HTML',
      'truncated',
      'rejection',
      'fault',
      'reset',
      'hang',
      'late success',
    )
    const anyRequest = fc.record({
      operation: fc.constantFrom('balances', 'tokenInfo', 'tokenHolders', 'query'),
      chainIds: fc.uniqueArray(fc.integer({ min: 1, max: 5 }), { minLength: 1 }),
      outcomes: fc.array(anyOutcome, { minLength: 1, maxLength: 3 }),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(anyRequest, { maxLength: 6 }), async (planned) => {
        charged = {}
        const client = create({ queryClient: new QueryClient() })
        for (const next of planned) {
          const controller = new AbortController()
          onHang = () => controller.abort()
          outcomes = [...next.outcomes]
          const { signal } = controller
          const { chainIds } = next
          const parameters = { address, chainIds }
          const chainId = chainIds[0]!
          await {
            balances: () => getBalances(client, parameters, { signal }),
            tokenInfo: () =>
              getTokenInfo(client, { address: 'native', chainIds: [chainId] }, { signal }),
            tokenHolders: () => getTokenHolders(client, { chainId, address }, { signal }),
            query: () => {
              const query = balancesQueryOptions(client, parameters)
              onHang = () => void client.queryClient.cancelQueries({ queryKey: query.queryKey })
              return client.queryClient.fetchQuery({ ...query, retry: 3, retryDelay: 1 })
            },
          }[next.operation]!().catch(() => {})
        }
        // A cancelled query settles immediately, its request later.
        await new Promise(setImmediate)
        const { spent, byOperation, byMinute } = client.getUsage()
        expect({ ...byOperation }).toEqual(charged)
        expect(spent).toBe(sum(charged))
        expect(sum(Object.fromEntries(byMinute.map((each) => [each.startedAt, each.spent])))).toBe(
          spent,
        )
      }),
      { numRuns: 20 },
    )
  }, 60_000)

  it('counts requests of streams, also after they were unsubscribed', async () => {
    const client = create({ ssr: false })
    const hanging = new Promise<void>((resolve) => (onHang = resolve))
    outcomes = ['hang']
    const watched = { address, chainIds: [1, 2] }
    const subscriptions = [1, 2, 3].map(() => watchBalances(client, watched).subscribe())
    await hanging
    expect(client.getUsage().spent).toBe(0)
    for (const each of subscriptions) {
      each.unsubscribe()
    }
    await expect.poll(() => client.getUsage().byOperation).toEqual({ balances: 2 })
    const options = { refetchInterval: 20 }
    const subscription = watchBalances(client, watched, options).subscribe()
    await expect.poll(() => server.requests.length).toBeGreaterThan(4)
    subscription.unsubscribe()
    await expect.poll(() => client.getUsage().byOperation).toEqual(charged)
  })

  it('counts a deduplicated request once, and a cached response not at all', async () => {
    const client = create()
    const query = balancesQueryOptions(client, { address, chainIds: [1, 2, 3] })
    await Promise.all([1, 2, 3].map(() => client.queryClient.fetchQuery(query)))
    await client.queryClient.fetchQuery({ ...query, staleTime: Infinity })
    expect(client.getUsage()).toMatchObject({ spent: 3, byOperation: { balances: 3 } })
    expect(server.requests).toHaveLength(1)
  })

  it('counts the estimate of aborted requests that were sent, and nothing for those that were not', async () => {
    const fetch = () => new Promise<Response>(() => undefined)
    const client = create({ timeout: 20, fetch })
    await expect(getTokenInfo(client, { address: 'native', chainIds: [1] })).rejects.toMatchObject({
      name: 'TimeoutError',
    })
    expect(client.getUsage().spent).toBe(2)
    const reason = new Error('left')
    await expect(
      getBalances(client, { address }, { signal: AbortSignal.abort(reason) }),
    ).rejects.toBe(reason)
    await expect(getBalances(client, { address: 'wrong' })).rejects.toThrow()
    expect(client.getUsage().spent).toBe(2)
  })

  it('counts nothing for network errors', async () => {
    const client = create()
    await server.close()
    await expect(getBalances(client, { address })).rejects.toMatchObject({ name: 'NetworkError' })
    expect(client.getUsage().spent).toBe(0)
    server = await startServer(respond)
  })

  it('counts the charge in the headers, also of error responses', async () => {
    const client = create()
    server.use((_, response) => {
      const headers = { 'x-compute-units-cost': '0', 'x-compute-units-remaining': '100' }
      response.writeHead(503, headers).end('{}')
    })
    await expect(getBalances(client, { address })).rejects.toThrow()
    // Neither an operation nor a minute without units.
    const none = { spent: 0, byOperation: {}, byMinute: [], remaining: 100 }
    expect(client.getUsage()).toEqual(none)
    server.use((_, response) => {
      const headers = { 'x-compute-units-cost': '5', 'x-compute-units-remaining': '95' }
      response.writeHead(404, headers).end('{}')
    })
    await expect(getBalances(client, { address })).rejects.toThrow()
    expect(client.getUsage()).toMatchObject({ spent: 5, remaining: 95 })
    server.use((_, response) => {
      const headers = { 'x-compute-units-cost': '-1', 'x-compute-units-remaining': 'many' }
      response.writeHead(200, headers).end(JSON.stringify(info))
    })
    await getTokenInfo(client, { address: 'native', chainIds: [1] })
    expect(client.getUsage()).toMatchObject({ spent: 7, remaining: 95 })
  })

  it('estimates a tag by its latest charge', async () => {
    const client = create()
    outcomes = ['success', 'success without headers', 'success', 'success without headers']
    await getBalances(client, { address, chainIds: ['mainnet', 1] })
    await getBalances(client, { address, chainIds: [1, 'mainnet', 1] })
    expect(client.getUsage().spent).toBe(8)
    await getBalances(client, { address })
    await getBalances(client, { address })
    expect(client.getUsage().spent).toBe(16)
    expect(charged).toEqual({ balances: 16 })
  })
})

const chargeNext = (tracker: UsageTracker, chainIds: number[] | undefined, cost: string) => {
  const charge = tracker.admit(balances, { address, chainIds }, {}) as Charge
  const headers = new Headers({ 'x-compute-units-cost': cost })
  charge.onHeaders({ ok: true, status: 200, headers })
}

describe('the usage by minute', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('remains in order, and without repetition, when the clock is set back', () => {
    const tracker = new UsageTracker()
    const noon = 1_800_000_000_000
    const minutes = [-1, 0, 60, 61, 0, 1, 61]
    for (const minute of minutes) {
      vi.setSystemTime(noon + minute * 60_000)
      chargeNext(tracker, [1], '1')
    }
    expect(
      tracker
        .getUsage()
        .byMinute.map(({ startedAt, spent }) => [(startedAt - noon) / 60_000, spent]),
    ).toEqual([
      [-1, 1],
      [0, 2],
      [1, 1],
      [61, 1],
    ])
    expect(tracker.getUsage().spent).toBe(minutes.length)
  })
})

describe('a charge of 0', () => {
  it.each([
    { chainIds: [1, 2], cost: 2 },
    { chainIds: undefined, cost: 12 },
  ])('of a shared response is not the estimate of the next request: %j', ({ chainIds, cost }) => {
    const tracker = new UsageTracker()
    chargeNext(tracker, chainIds, '0')
    expect(tracker.estimate(balances, { address, chainIds })).toBe(chainIds?.length ?? 1)
    chargeNext(tracker, chainIds, String(cost))
    chargeNext(tracker, chainIds, '0')
    expect(tracker.estimate(balances, { address, chainIds })).toBe(cost)
    expect(tracker.getUsage().spent).toBe(cost)
  })
})

describe('usage$', () => {
  it('emits once per charge above 0', () => {
    const scheduler = new TestScheduler((actual, expected) => expect(actual).toEqual(expected))
    scheduler.run(({ cold, expectObservable }) => {
      const tracker = new UsageTracker()
      const parameters = { address: 'native', chainIds: [1] as [number] }
      cold('---a-b-a--c|', { a: '2', b: '0', c: '5' }).subscribe({
        next: (cost) => {
          const headers = new Headers({ 'x-compute-units-cost': cost })
          const charge = tracker.admit(tokenInfo, parameters, {}) as Charge
          charge.onHeaders({ ok: true, status: 200, headers })
          charge.onError(new Error('too late to count'))
        },
        complete: () => tracker.destroy(),
      })
      const spent$ = tracker.usage$.pipe(map(({ spent }) => String(spent)))
      expectObservable(spent$).toBe('      0--2---4--9|')
      expectObservable(spent$, '-----^---!').toBe('-----2-4--')
    })
  })

  it('replays the latest value, emits on each change, and completes when the client is destroyed', async () => {
    const client = create()
    const emitted: Usage[] = []
    let isComplete = false
    client.usage$.subscribe({
      next: (each) => emitted.push(each),
      complete: () => (isComplete = true),
    })
    expect(emitted).toEqual([{ spent: 0, byOperation: {}, byMinute: [], remaining: undefined }])
    expect(emitted[0]).toBe(client.getUsage())
    outcomes = ['success', 'rejection', 'reset', 'success']
    for (let i = 0; i < 4; i++) {
      await getBalances(client, { address, chainIds: [1] }).catch(() => {})
    }
    expect(emitted.map(({ spent }) => spent)).toEqual([0, 1, 2])
    const late: Usage[] = []
    client.usage$.subscribe((each) => late.push(each)).unsubscribe()
    expect(late).toEqual([client.getUsage()])
    expect(client.usage$.getSnapshot()).toBe(client.getUsage())
    client.destroy()
    expect(isComplete).toBe(true)
  })
})
