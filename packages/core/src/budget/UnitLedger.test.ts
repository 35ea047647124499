import type { IncomingMessage, ServerResponse } from 'node:http'
import { QueryClient } from '@tanstack/query-core'
import fc from 'fast-check'
import { map } from 'rxjs'
import { TestScheduler } from 'rxjs/testing'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { tokenInfo } from '@headwater/contract'
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
import { type Charge, UnitLedger } from './UnitLedger.ts'

/** A way in which a service answers, or a network fails. */
type Fate =
  | 'answer'
  | 'answer without headers'
  | 'no JSON'
  | 'cut'
  | 'refuse'
  | 'fault'
  | 'hang up'
  | 'hang'
  | 'hang, then answer'

const holders = { token_address: otherAddress, chain_id: 1, holders: [] }
const info = { contract_address: 'native', tokens: [{ chain_id: 1 }] }

let server: Awaited<ReturnType<typeof startServer>>
/** What the service charged, by path. */
let charged: Record<string, number>
/** What becomes of the requests to come, the first first. */
let fates: Fate[]
/** Called when a request has arrived that nobody answers. */
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
  // The tags mean three chains each, and the default set four.
  const cost = chains?.reduce((sum, chain) => sum + (/^\d/.test(chain) ? 1 : 3), 0) ?? 4
  return of('balances', cost, balancesResponse(balance()))
}

function answer(request: IncomingMessage, response: ServerResponse) {
  const fate = fates.shift() ?? 'answer'
  const { url = '' } = request
  if (fate === 'hang up') {
    return void response.destroy()
  }
  if (fate === 'refuse') {
    return void response.writeHead(429).end('{"error":"No"}')
  }
  if (fate === 'fault') {
    return void response.writeHead(503).end('{"error":"No"}')
  }
  const { cost, body } = charge(url)
  if (fate === 'hang') {
    return onHang()
  }
  if (fate === 'hang, then answer') {
    onHang()
  }
  const headers = fate === 'answer without headers' ? {} : { 'x-compute-units-cost': String(cost) }
  const text = fate === 'no JSON' ? '<html>' : JSON.stringify(body)
  if (fate !== 'cut') {
    return void response.writeHead(200, headers).end(text)
  }
  response.writeHead(200, { ...headers, 'content-length': text.length }).write(text.slice(0, 9))
  setTimeout(() => response.destroy(), 5)
}

beforeEach(async () => {
  charged = {}
  fates = []
  onHang = () => {}
  server = await startServer(answer)
})
afterEach(async () => {
  for (const client of clients.splice(0)) {
    client.destroy()
  }
  await server.close()
})

const sum = (units: Record<string, number>) => Object.values(units).reduce((a, b) => a + b, 0)

describe('the ledger', () => {
  it('counts what the service charged, through answers, failures, retries and cancels', async () => {
    const anyFate = fc.constantFrom<Fate>(
      'answer',
      'answer without headers',
      'no JSON',
      'cut',
      'refuse',
      'fault',
      'hang up',
      'hang',
      'hang, then answer',
    )
    const anyAsk = fc.record({
      operation: fc.constantFrom('balances', 'tokenInfo', 'tokenHolders', 'query'),
      chainIds: fc.uniqueArray(fc.integer({ min: 1, max: 5 }), { minLength: 1 }),
      fates: fc.array(anyFate, { minLength: 1, maxLength: 3 }),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(anyAsk, { maxLength: 6 }), async (asks) => {
        charged = {}
        const client = create({ queryClient: new QueryClient() })
        for (const ask of asks) {
          const controller = new AbortController()
          onHang = () => controller.abort()
          fates = [...ask.fates]
          const { signal } = controller
          const { chainIds } = ask
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
          }[ask.operation]!().catch(() => {})
        }
        // A query is over as soon as it is cancelled, its request a moment later.
        await new Promise(setImmediate)
        const { spent, byOperation, byMinute } = client.getUsage()
        expect({ ...byOperation }).toEqual(charged)
        expect(spent).toBe(sum(charged))
        expect(sum(Object.fromEntries(byMinute.map((each) => [each.startedAt, each.spent])))).toBe(
          spent,
        )
      }),
      { numRuns: 60 },
    )
  }, 60_000)

  it('counts what streams asked, also when nobody waits for it any more', async () => {
    const client = create({ ssr: false })
    const hanging = new Promise<void>((resolve) => (onHang = resolve))
    fates = ['hang']
    const watched = { address, chainIds: [1, 2] }
    const subscriptions = [1, 2, 3].map(() => watchBalances(client, watched).subscribe())
    await hanging
    expect(client.getUsage().spent).toBe(0)
    for (const each of subscriptions) {
      each.unsubscribe()
    }
    await vi.waitFor(() => expect(client.getUsage().byOperation).toEqual({ balances: 2 }))
    const options = { refetchInterval: 20 }
    const subscription = watchBalances(client, watched, options).subscribe()
    await vi.waitFor(() => expect(server.requests.length).toBeGreaterThan(4))
    subscription.unsubscribe()
    await vi.waitFor(() => expect(client.getUsage().byOperation).toEqual(charged))
  })

  it('counts one question of many as one, and what is cached as none', async () => {
    const client = create()
    const query = balancesQueryOptions(client, { address, chainIds: [1, 2, 3] })
    await Promise.all([1, 2, 3].map(() => client.queryClient.fetchQuery(query)))
    await client.queryClient.fetchQuery({ ...query, staleTime: Infinity })
    expect(client.getUsage()).toMatchObject({ spent: 3, byOperation: { balances: 3 } })
    expect(server.requests).toHaveLength(1)
  })

  it('counts what was given up, as the service may have answered, and nothing that never went out', async () => {
    const client = create({ timeout: 40 })
    const hanging = new Promise<void>((resolve) => (onHang = resolve))
    fates = ['hang', 'hang']
    await expect(getTokenInfo(client, { address: 'native', chainIds: [1] })).rejects.toMatchObject({
      name: 'TimeoutError',
    })
    await hanging
    expect(client.getUsage().spent).toBe(2)
    const reason = new Error('left')
    await expect(
      getBalances(client, { address }, { signal: AbortSignal.abort(reason) }),
    ).rejects.toBe(reason)
    await expect(getBalances(client, { address: 'wrong' })).rejects.toThrow()
    expect(client.getUsage().spent).toBe(2)
  })

  it('counts nothing without a network', async () => {
    const client = create()
    await server.close()
    await expect(getBalances(client, { address })).rejects.toMatchObject({ name: 'NetworkError' })
    expect(client.getUsage().spent).toBe(0)
    server = await startServer(answer)
  })

  it('believes the headers, of refusals too', async () => {
    const client = create()
    server.answerWith((_, response) => {
      const headers = { 'x-compute-units-cost': '5', 'x-compute-units-remaining': '95' }
      response.writeHead(404, headers).end('{}')
    })
    await expect(getBalances(client, { address })).rejects.toThrow()
    expect(client.getUsage()).toMatchObject({ spent: 5, remaining: 95 })
    server.answerWith((_, response) => {
      const headers = { 'x-compute-units-cost': '-1', 'x-compute-units-remaining': 'many' }
      response.writeHead(200, headers).end(JSON.stringify(info))
    })
    await getTokenInfo(client, { address: 'native', chainIds: [1] })
    expect(client.getUsage()).toMatchObject({ spent: 7, remaining: 95 })
  })

  it('learns how many chains a tag means from what was charged', async () => {
    const client = create()
    fates = ['answer', 'answer without headers', 'answer', 'answer without headers']
    await getBalances(client, { address, chainIds: ['mainnet', 1] })
    await getBalances(client, { address, chainIds: [1, 'mainnet', 1] })
    expect(client.getUsage().spent).toBe(8)
    await getBalances(client, { address })
    await getBalances(client, { address })
    expect(client.getUsage().spent).toBe(16)
    expect(charged).toEqual({ balances: 16 })
  })
})

describe('usage$', () => {
  it('emits once a charge that is not 0, to whoever listens then', () => {
    const scheduler = new TestScheduler((actual, expected) => expect(actual).toEqual(expected))
    scheduler.run(({ cold, expectObservable }) => {
      const ledger = new UnitLedger()
      const parameters = { address: 'native', chainIds: [1] as [number] }
      cold('---a-b-a--c|', { a: '2', b: '0', c: '5' }).subscribe({
        next: (cost) => {
          const headers = new Headers({ 'x-compute-units-cost': cost })
          const charge = ledger.admit(tokenInfo, parameters, {}) as Charge
          charge.onHeaders({ ok: true, headers })
          charge.onError(new Error('too late to count'))
        },
        complete: () => ledger.destroy(),
      })
      const spent$ = ledger.usage$.pipe(map(({ spent }) => String(spent)))
      expectObservable(spent$).toBe('      0--2---4--9|')
      expectObservable(spent$, '-----^---!').toBe('-----2-4--')
    })
  })

  it('replays at once, tells of each change and of nothing else, and ends with the client', async () => {
    const client = create()
    const seen: Usage[] = []
    let isComplete = false
    client.usage$.subscribe({
      next: (each) => seen.push(each),
      complete: () => (isComplete = true),
    })
    expect(seen).toEqual([{ spent: 0, byOperation: {}, byMinute: [], remaining: undefined }])
    expect(seen[0]).toBe(client.getUsage())
    fates = ['answer', 'refuse', 'hang up', 'answer']
    for (let i = 0; i < 4; i++) {
      await getBalances(client, { address, chainIds: [1] }).catch(() => {})
    }
    expect(seen.map(({ spent }) => spent)).toEqual([0, 1, 2])
    const late: Usage[] = []
    client.usage$.subscribe((each) => late.push(each)).unsubscribe()
    expect(late).toEqual([client.getUsage()])
    expect(client.usage$.getSnapshot()).toBe(client.getUsage())
    client.destroy()
    expect(isComplete).toBe(true)
  })
})
