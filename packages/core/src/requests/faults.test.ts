// The client against an HTTP server with the faults of services and proxies.
import { QueryClient } from '@tanstack/query-core'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { address, balance, balancesResponse } from '../../test/balances.ts'
import { operationExamples } from '../../test/operations.ts'
import { sharedServer } from '../../test/sharedServer.ts'
import { faults, inSequence, respondWith } from '../../test/startServer.ts'
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

describe('a request', () => {
  const body = balancesResponse(balance())

  it.each([
    ['HTML of a failing proxy', html(502), 'HttpError', true],
    ['HTML of a sign-in page', html(200), 'InvalidResponseError', false],
    ['a truncated body', faults.truncatedBody(body), 'NetworkError', true],
    ['truncated chunks', faults.truncatedChunks(body), 'NetworkError', true],
    ['half a body', faults.truncatedAtClose(body), 'InvalidResponseError', false],
    ['a body that is not compressed', faults.invalidEncoding(body), 'NetworkError', true],
    ['a connection reset', faults.reset(), 'NetworkError', true],
    ['an incomplete body', faults.incompleteBody(body), 'TimeoutError', true],
    ['no response', faults.noResponse(), 'TimeoutError', true],
  ])('rejects on %s after one attempt', async (_, fault, name, isRetryable) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    server.use(fault)
    const client = create({ timeout: 60_000 })
    const rejection = expect(getBalances(client, { address })).rejects.toMatchObject({
      name,
      isRetryable,
    })
    await expect.poll(() => server.requests.length).toBe(1)
    if (name === 'TimeoutError') {
      await vi.advanceTimersByTimeAsync(60_000)
    }
    await rejection
    expect(server.requests).toHaveLength(1)
  })

  it.each([
    ['is pending', faults.noResponse()],
    ['is read', faults.incompleteBody(body)],
  ])('closes the connection when it is aborted while the response %s', async (_, fault) => {
    const controller = new AbortController()
    const reason = new Error('left the page')
    server.use((request, response) => {
      fault(request, response)
      setTimeout(() => controller.abort(reason), 20)
    })
    const { signal } = controller
    await expect(getBalances(create(), { address }, { signal })).rejects.toBe(reason)
    expect(await server.requests[0]?.abandoned).toBe(true)
  })
})

describe('query options', () => {
  it.each(operationExamples)(
    'of $name recover from transient faults by retries',
    async ({ parameters, createResponse, item, queryOptions }) => {
      const body = createResponse(item)
      server.use(
        inSequence(faults.truncatedBody(body), rejectWith(500), faults.reset(), respondWith(body)),
      )
      const options = { ...queryOptions(create(), parameters), retryDelay: 0 }
      expect(await new QueryClient().fetchQuery(options)).toEqual(body)
      expect(server.requests).toHaveLength(4)
    },
  )

  it('fail after four attempts', async () => {
    server.use(rejectWith(500))
    const options = { ...balancesQueryOptions(create(), { address }), retryDelay: 0 }
    await expect(new QueryClient().fetchQuery(options)).rejects.toMatchObject({ status: 500 })
    expect(server.requests).toHaveLength(4)
  })

  it.each([400, 401, 402, 403, 404, 405, 408, 410, 422])(
    'do not retry status %i',
    async (status) => {
      server.use(rejectWith(status, { 'retry-after': '0' }))
      const options = balancesQueryOptions(create(), { address })
      await expect(new QueryClient().fetchQuery(options)).rejects.toMatchObject({ status })
      expect(server.requests).toHaveLength(1)
    },
  )
})

describe('a stream', () => {
  const watch = (client: Client) =>
    watchTokenBalance(
      client,
      { address, tokenAddress: 'native', chainIds: [31337] },
      { refetchInterval: 20 },
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
    server.use(faults.incompleteBody(balancesResponse()))
    const subscription = watch(create()).subscribe()
    await expect.poll(() => server.requests.length).toBe(1)
    subscription.unsubscribe()
    expect(await server.requests[0]?.abandoned).toBe(true)
  })

  it('closes the connection when its client is destroyed', async () => {
    server.use(faults.noResponse())
    const client = create()
    watch(client).subscribe()
    await expect.poll(() => server.requests.length).toBe(1)
    client.destroy()
    expect(await server.requests[0]?.abandoned).toBe(true)
  })

  it('closes the connection when its query is cancelled', async () => {
    server.use(faults.noResponse())
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
