// The client against a real server that fails in all the ways that services and proxies do.
import { QueryClient } from '@tanstack/query-core'
import { describe, expect, it } from 'vitest'
import { address, balance, balancesResponse } from '../../test/balances.ts'
import { operationExamples } from '../../test/operations.ts'
import { sharedServer } from '../../test/sharedServer.ts'
import { answering, faults, inTurn } from '../../test/startServer.ts'
import { type Client } from '../client/Client.ts'
import { balancesQueryOptions, getBalances } from '../operations/balances.ts'
import { watchTokenBalance } from '../operations/tokenBalance.ts'

const { server, create } = await sharedServer()
const refusing = (status: number, headers: Record<string, string> = {}) =>
  answering({ error: 'No.', code: 'NO' }, { status, headers })
const html = (status: number) =>
  answering('<!doctype html><h1>Sign in</h1>', { status, headers: { 'content-type': 'text/html' } })
const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000).toUTCString()
const pass = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

describe.each(operationExamples)('$name', ({ parameters, answer, item, get, queryOptions }) => {
  const body = answer(item)

  it.each([
    ['429 with seconds', refusing(429, { 'retry-after': '2' }), 'HttpError', true],
    ['429 with a date', refusing(429, { 'retry-after': inSeconds(60) }), 'HttpError', true],
    ['402', refusing(402), 'HttpError', false],
    ['404', refusing(404), 'HttpError', false],
    ['500', refusing(500), 'HttpError', true],
    ['503', refusing(503), 'HttpError', true],
    ['HTML of a proxy that fails', html(502), 'HttpError', true],
    ['HTML of a page to sign in', html(200), 'InvalidResponseError', false],
    ['a body that is cut', faults.cutBody(body), 'NetworkError', true],
    ['chunks that are cut', faults.cutChunks(body), 'NetworkError', true],
    ['half a body', faults.cutWithoutNotice(body), 'InvalidResponseError', false],
    ['a body that is not compressed', faults.wrongEncoding(body), 'NetworkError', true],
    ['a connection that is reset', faults.reset(), 'NetworkError', true],
    ['a slow body', faults.slowBody(body), 'TimeoutError', true],
    ['silence', faults.silence(), 'TimeoutError', true],
  ])('tells of %s after one attempt', async (_, fault, name, isRetryable) => {
    server.answerWith(fault)
    const client = create({ timeout: name === 'TimeoutError' ? 100 : 30_000 })
    await expect(get(client, parameters)).rejects.toMatchObject({ name, isRetryable })
    expect(server.requests).toHaveLength(1)
  })

  it('gets over a fault that passes', async () => {
    server.answerWith(inTurn(faults.cutBody(body), refusing(500), faults.reset(), answering(body)))
    const options = { ...queryOptions(create(), parameters), retryDelay: 0 }
    expect(await new QueryClient().fetchQuery(options)).toEqual(body)
    expect(server.requests).toHaveLength(4)
  })

  it('gives up in a storm after four attempts', async () => {
    server.answerWith(refusing(500))
    const options = { ...queryOptions(create(), parameters), retryDelay: 0 }
    await expect(new QueryClient().fetchQuery(options)).rejects.toMatchObject({ status: 500 })
    expect(server.requests).toHaveLength(4)
  })

  it.each([400, 401, 402, 403, 404, 405, 408, 410, 422])(
    'does not try again after %i',
    async (status) => {
      server.answerWith(refusing(status, { 'retry-after': '0' }))
      const options = queryOptions(create(), parameters)
      await expect(new QueryClient().fetchQuery(options)).rejects.toMatchObject({ status })
      expect(server.requests).toHaveLength(1)
    },
  )

  it.each([
    ['is awaited', faults.silence()],
    ['is read', faults.slowBody(body)],
  ])('hangs up when it is aborted while the answer %s', async (_, fault) => {
    const controller = new AbortController()
    const reason = new Error('left the page')
    server.answerWith((request, response) => {
      fault(request, response)
      setTimeout(() => controller.abort(reason), 20)
    })
    const { signal } = controller
    await expect(get(create(), parameters, { signal })).rejects.toBe(reason)
    expect(await server.requests[0]?.abandoned).toBe(true)
  })
})

describe('a wait that the service names', () => {
  it.each([
    ['seconds', () => '1'],
    // Dates have no fractions: of two seconds from now at least one is left.
    ['a date', () => inSeconds(2)],
  ])('as %s is sat out', async (_, retryAfter) => {
    server.answerWith((request, response) => {
      const first = server.requests.length === 1
      const answer = first
        ? refusing(429, { 'retry-after': retryAfter() })
        : answering(balancesResponse())
      answer(request, response)
    })
    const options = balancesQueryOptions(create(), { address })
    expect(await new QueryClient().fetchQuery(options)).toEqual(balancesResponse())
    const [first, second] = server.requests.map(({ at }) => at)
    expect(server.requests).toHaveLength(2)
    expect(second! - first!).toBeGreaterThanOrEqual(999)
  })

  it('holds a poll back, and shows meanwhile', async () => {
    const good = balancesResponse(balance({ amount: '7' }))
    server.answerWith(
      inTurn(answering(good), refusing(429, { 'retry-after': '1' }), answering(balancesResponse())),
    )
    const stream = watchTokenBalance(
      create(),
      { address, tokenAddress: 'native', chainIds: [31337] },
      { refetchInterval: 20 },
    )
    const seen: unknown[] = []
    await new Promise<void>((resolve) => {
      stream.subscribe(({ status, data }) => {
        seen.push([status, data?.balances.length])
        if (data?.balances.length === 0) {
          resolve()
        }
      })
    })
    expect(seen).toEqual([
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
    'does not ask again after %i, until it is told to',
    async (status) => {
      server.answerWith(refusing(status))
      const stream = watch(create())
      const subscription = stream.subscribe()
      await pass(300)
      expect(server.requests).toHaveLength(1)
      expect(stream.getSnapshot()).toMatchObject({ status: 'error', error: { status } })
      server.answerWith(answering(balancesResponse()))
      await stream.getSnapshot().refetch()
      expect(stream.getSnapshot()).toMatchObject({ status: 'success', error: null })
      subscription.unsubscribe()
    },
  )

  it('goes on after a page to sign in, and keeps what it knew', async () => {
    server.answerWith(
      inTurn(answering(balancesResponse(balance())), html(200), answering(balancesResponse())),
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

  it('hangs up a moment after the last listener left', async () => {
    server.answerWith(faults.slowBody(balancesResponse()))
    const subscription = watch(create()).subscribe()
    await expect.poll(() => server.requests.length).toBe(1)
    subscription.unsubscribe()
    expect(await server.requests[0]?.abandoned).toBe(true)
  })

  it('hangs up when its client is destroyed', async () => {
    server.answerWith(faults.silence())
    const client = create()
    watch(client).subscribe()
    await expect.poll(() => server.requests.length).toBe(1)
    client.destroy()
    expect(await server.requests[0]?.abandoned).toBe(true)
  })

  it('hangs up when its query is cancelled', async () => {
    server.answerWith(faults.silence())
    const client = create()
    const options = balancesQueryOptions(client, { address })
    const answer = client.queryClient.fetchQuery(options)
    await expect.poll(() => server.requests.length).toBe(1)
    await client.queryClient.cancelQueries({ queryKey: options.queryKey })
    await expect(answer).rejects.toThrow('CancelledError')
    expect(await server.requests[0]?.abandoned).toBe(true)
  })
})

describe('an answer that is half good', () => {
  it('is taken of a service that says everything otherwise', async () => {
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
    server.answerWith(answering(body))
    const answer = await getBalances(create(), { address })
    expect(answer).toEqual({
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
