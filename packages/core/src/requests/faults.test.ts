// The client against an HTTP server with the faults of services and proxies.
import { QueryClient } from '@tanstack/query-core'
import { describe, expect, it } from 'vitest'
import { address, balance, balancesResponse } from '../../test/balances.ts'
import { operationExamples } from '../../test/operations.ts'
import { sharedServer } from '../../test/sharedServer.ts'
import { respondWith, faults, inSequence } from '../../test/startServer.ts'
import { type Client } from '../client/Client.ts'
import { balancesQueryOptions, getBalances } from '../operations/balances.ts'
import { watchTokenBalance } from '../operations/tokenBalance.ts'

const { server, create } = await sharedServer()
const rejectWith = (status: number, headers: Record<string, string> = {}) =>
  respondWith({ error: 'No.', code: 'NO' }, { status, headers })
const html = (status: number) =>
  respondWith('<!doctype html><h1>Sign in</h1>', {
    status,
    headers: { 'content-type': 'text/html' },
  })
const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000).toUTCString()
const advance = (milliseconds: number) =>
  new Promise((resolve) => setTimeout(resolve, milliseconds))

describe.each(operationExamples)(
  '$name',
  ({ parameters, createResponse, item, get, queryOptions }) => {
    const body = createResponse(item)

    it.each([
      ['429 with seconds', rejectWith(429, { 'retry-after': '2' }), 'HttpError', true],
      ['429 with a date', rejectWith(429, { 'retry-after': inSeconds(60) }), 'HttpError', true],
      ['402', rejectWith(402), 'HttpError', false],
      ['404', rejectWith(404), 'HttpError', false],
      ['500', rejectWith(500), 'HttpError', true],
      ['503', rejectWith(503), 'HttpError', true],
      ['HTML of a proxy that fails', html(502), 'HttpError', true],
      ['HTML of a page to sign in', html(200), 'InvalidResponseError', false],
      ['a body that is cut', faults.cutBody(body), 'NetworkError', true],
      ['chunks that are cut', faults.cutChunks(body), 'NetworkError', true],
      ['half a body', faults.cutWithoutNotice(body), 'InvalidResponseError', false],
      ['a body that is not compressed', faults.wrongEncoding(body), 'NetworkError', true],
      ['a connection that is reset', faults.reset(), 'NetworkError', true],
      ['a slow body', faults.slowBody(body), 'TimeoutError', true],
      ['silence', faults.silence(), 'TimeoutError', true],
    ])('rejects on %s after one attempt', async (_, fault, name, isRetryable) => {
      server.use(fault)
      const client = create({ timeout: name === 'TimeoutError' ? 100 : 30_000 })
      await expect(get(client, parameters)).rejects.toMatchObject({ name, isRetryable })
      expect(server.requests).toHaveLength(1)
    })

    it('recovers from transient faults by retries', async () => {
      server.use(
        inSequence(faults.cutBody(body), rejectWith(500), faults.reset(), respondWith(body)),
      )
      const options = { ...queryOptions(create(), parameters), retryDelay: 0 }
      expect(await new QueryClient().fetchQuery(options)).toEqual(body)
      expect(server.requests).toHaveLength(4)
    })

    it('fails after four attempts', async () => {
      server.use(rejectWith(500))
      const options = { ...queryOptions(create(), parameters), retryDelay: 0 }
      await expect(new QueryClient().fetchQuery(options)).rejects.toMatchObject({ status: 500 })
      expect(server.requests).toHaveLength(4)
    })

    it.each([400, 401, 402, 403, 404, 405, 408, 410, 422])(
      'does not retry status %i',
      async (status) => {
        server.use(rejectWith(status, { 'retry-after': '0' }))
        const options = queryOptions(create(), parameters)
        await expect(new QueryClient().fetchQuery(options)).rejects.toMatchObject({ status })
        expect(server.requests).toHaveLength(1)
      },
    )

    it.each([
      ['is awaited', faults.silence()],
      ['is read', faults.slowBody(body)],
    ])('closes the connection when it is aborted while the response %s', async (_, fault) => {
      const controller = new AbortController()
      const reason = new Error('left the page')
      server.use((request, response) => {
        fault(request, response)
        setTimeout(() => controller.abort(reason), 20)
      })
      const { signal } = controller
      await expect(get(create(), parameters, { signal })).rejects.toBe(reason)
      expect(await server.requests[0]?.abandoned).toBe(true)
    })
  },
)

describe('Retry-After', () => {
  it.each([
    ['seconds', () => '1'],
    // Dates have no fractions: of two seconds from now at least one is left.
    ['a date', () => inSeconds(2)],
  ])('as %s delays the retry', async (_, retryAfter) => {
    server.use((request, response) => {
      const first = server.requests.length === 1
      const respond = first
        ? rejectWith(429, { 'retry-after': retryAfter() })
        : respondWith(balancesResponse())
      respond(request, response)
    })
    const options = balancesQueryOptions(create(), { address })
    expect(await new QueryClient().fetchQuery(options)).toEqual(balancesResponse())
    const [first, second] = server.requests.map(({ at }) => at)
    expect(server.requests).toHaveLength(2)
    expect(second! - first!).toBeGreaterThanOrEqual(999)
  })

  it('delays a poll, with the error visible meanwhile', async () => {
    const good = balancesResponse(balance({ amount: '7' }))
    server.use(
      inSequence(
        respondWith(good),
        rejectWith(429, { 'retry-after': '1' }),
        respondWith(balancesResponse()),
      ),
    )
    const stream = watchTokenBalance(
      create(),
      { address, tokenAddress: 'native', chainIds: [31337] },
      { refetchInterval: 20 },
    )
    const emitted: unknown[] = []
    await new Promise<void>((resolve) => {
      stream.subscribe(({ status, data }) => {
        emitted.push([status, data?.balances.length])
        if (data?.balances.length === 0) {
          resolve()
        }
      })
    })
    expect(emitted).toEqual([
      ['pending', undefined],
      ['success', 1],
      ['error', 1],
      ['success', 0],
    ])
    const [, second, third] = server.requests.map(({ at }) => at)
    expect(third! - second!).toBeGreaterThanOrEqual(999)
  })
})

describe('a stream', () => {
  const watch = (client: Client) =>
    watchTokenBalance(
      client,
      { address, tokenAddress: 'native', chainIds: [31337] },
      { refetchInterval: 20 },
    )

  it.each([400, 401, 402, 403])(
    'does not refetch after %i until refetch is called',
    async (status) => {
      server.use(rejectWith(status))
      const stream = watch(create())
      const subscription = stream.subscribe()
      await advance(300)
      expect(server.requests).toHaveLength(1)
      expect(stream.getSnapshot()).toMatchObject({ status: 'error', error: { status } })
      server.use(respondWith(balancesResponse()))
      await stream.getSnapshot().refetch()
      expect(stream.getSnapshot()).toMatchObject({ status: 'success', error: null })
      subscription.unsubscribe()
    },
  )

  it('continues after an HTML response, and keeps its data', async () => {
    server.use(
      inSequence(
        respondWith(balancesResponse(balance())),
        html(200),
        respondWith(balancesResponse()),
      ),
    )
    const stream = watch(create())
    const errors = new Set<string>()
    await new Promise<void>((resolve) => {
      stream.subscribe(({ data, error }) => {
        if (error) {
          errors.add(`${error.name} ${data?.balances.length}`)
        }
        if (data?.balances.length === 0) {
          resolve()
        }
      })
    })
    expect([...errors]).toEqual(['InvalidResponseError 1'])
  })

  it('closes the connection shortly after the last subscriber left', async () => {
    server.use(faults.slowBody(balancesResponse()))
    const subscription = watch(create()).subscribe()
    await expect.poll(() => server.requests.length).toBe(1)
    subscription.unsubscribe()
    expect(await server.requests[0]?.abandoned).toBe(true)
  })

  it('closes the connection when its client is destroyed', async () => {
    server.use(faults.silence())
    const client = create()
    watch(client).subscribe()
    await expect.poll(() => server.requests.length).toBe(1)
    client.destroy()
    expect(await server.requests[0]?.abandoned).toBe(true)
  })

  it('closes the connection when its query is cancelled', async () => {
    server.use(faults.silence())
    const client = create()
    const options = balancesQueryOptions(client, { address })
    const fetched = client.queryClient.fetchQuery(options)
    await expect.poll(() => server.requests.length).toBe(1)
    await client.queryClient.cancelQueries({ queryKey: options.queryKey })
    await expect(fetched).rejects.toThrow('CancelledError')
    expect(await server.requests[0]?.abandoned).toBe(true)
  })
})

describe('a partly invalid response', () => {
  it('is sanitized', async () => {
    const body = {
      wallet_address: address,
      chain_family: 'evm',
      balances: [
        { ...balance({ amount: '5' }), low_liquidity: null, price_usd: '1', risk: { score: 3 } },
        'none',
        null,
        { ...balance({ chain_id: 2 }), amount: 5 },
        { ...balance({ amount: '6' }) },
      ],
      errors: 'Chain 5 is down.',
      warnings: 'Prices are old.',
      next_offset: null,
    }
    server.use(respondWith(body))
    const response = await getBalances(create(), { address })
    expect(response).toEqual({
      wallet_address: address,
      chain_family: 'evm',
      balances: [{ ...balance({ amount: '5' }), risk: { score: 3 } }],
      errors: { error_message: 'Chain 5 is down.' },
      warnings: [
        { code: 'WARNING', message: 'Prices are old.' },
        expect.objectContaining({ code: 'MALFORMED_ITEMS' }),
        expect.objectContaining({ code: 'MALFORMED_FIELDS' }),
      ],
    })
  })
})
