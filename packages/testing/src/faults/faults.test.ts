// Each fault with a client of core.
import { afterEach, describe, expect, it, vi } from 'vitest'
import {
  createClient,
  getBalances,
  getTokenBalance,
  getTokenHolders,
  getTokenInfo,
  HttpError,
  InvalidResponseError,
  NetworkError,
  paginateTokenHolders,
  TimeoutError,
  watchBalances,
} from '@headwater/core'
import { createFakeService } from '../createFakeService.ts'
import type { Fault } from './Fault.ts'

function start(options: Partial<Parameters<typeof createClient>[0]> = {}) {
  const service = createFakeService()
  const { url: baseUrl, key: apiKey, fetch } = service
  const client = createClient({ baseUrl, apiKey, fetch, ...options })
  const { address } = service.wallet('everyday')
  const get = (rest: { signal?: AbortSignal } = {}) =>
    getBalances(client, { address, chainIds: [1] }, rest)
  return { service, client, address, get }
}

afterEach(() => vi.useRealTimers())

describe('faults that replace a response', () => {
  it.each([
    [
      { status: 429, retryAfter: 2 },
      { status: 429, code: 'RATE_EXCEEDED', retryAfter: 2000 },
    ],
    [{ status: 402 }, { status: 402, code: 'UNITS_EXHAUSTED', isRetryable: false }],
    [{ status: 500 }, { status: 500, code: 'INTERNAL_ERROR', isRetryable: true }],
    [
      { status: 418, code: 'TEAPOT', message: 'Short' },
      { status: 418, code: 'TEAPOT' },
    ],
    [{ kind: 'html' }, { status: 502 }],
  ] satisfies [Fault, object][])('responds with %j without units', async (fault, expected) => {
    const { service, client, get } = start()
    service.fail(fault)
    const error = await get().catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(HttpError)
    expect(error).toMatchObject(expected)
    expect([service.units, client.getUsage().spent]).toEqual([0, 0])
    expect(service.requests).toMatchObject([{ operation: 'balances', units: 0 }])
  })

  it('sends Retry-After as a date, too', async () => {
    vi.useFakeTimers({ now: Date.UTC(2026, 0, 1) })
    const { service, get } = start()
    service.fail({ status: 503, retryAfter: new Date(Date.UTC(2026, 0, 1, 0, 0, 30)) })
    await expect(get()).rejects.toMatchObject({ status: 503, retryAfter: 30_000 })
  })

  it('sends a custom body', async () => {
    const { service, get } = start()
    service.fail({ status: 500, body: { error: { message: 'Nested', code: 'X' } }, times: 1 })
    await expect(get()).rejects.toMatchObject({ shortMessage: expect.stringContaining('Nested') })
    service.fail({ status: 500, body: 'plain words', times: 1 })
    await expect(get()).rejects.toMatchObject({
      shortMessage: expect.stringContaining('plain words'),
    })
  })

  it('closes the connection before and within the body', async () => {
    const { service, client, get } = start()
    service.fail({ kind: 'network', times: 1 })
    await expect(get()).rejects.toBeInstanceOf(NetworkError)
    expect([service.units, client.getUsage().spent, service.requests[0]?.status]).toEqual([0, 0, 0])
    service.fail({ kind: 'cut', times: 1 })
    await expect(get()).rejects.toBeInstanceOf(NetworkError)
    // The service handled the request, which costs units.
    expect([service.units, client.getUsage().spent]).toEqual([1, 1])
    expect((await get()).balances.length).toBeGreaterThan(0)
  })

  it('responds with HTML and 200 like a captive portal', async () => {
    const { service, get } = start()
    service.fail({ kind: 'html', status: 200 })
    await expect(get()).rejects.toBeInstanceOf(InvalidResponseError)
  })
})

describe('the scope of a fault', () => {
  it('is limited by operation, number of requests and healing', async () => {
    const { service, client, address, get } = start()
    const info = () => getTokenBalance(client, { address, tokenAddress: 'native', chainIds: [1] })
    service.fail({ status: 500, operation: 'balances', times: 2 })
    expect((await info()).balances).toHaveLength(1)
    await expect(get()).rejects.toBeInstanceOf(HttpError)
    await expect(get()).rejects.toBeInstanceOf(HttpError)
    await expect(get()).resolves.toBeDefined()

    const heal = service.fail({ status: 500 })
    service.fail({ status: 402, operation: 'tokenBalance' })
    await expect(info()).rejects.toMatchObject({ status: 500 })
    heal()
    await expect(info()).rejects.toMatchObject({ status: 402 })
    service.heal()
    await expect(info()).resolves.toBeDefined()
    expect(() => service.fail({ status: 500, times: 0 })).toThrow(RangeError)
  })

  it('ends with a reset', async () => {
    const { service, address, get } = start()
    const before = await get()
    service.fail({ status: 500 })
    service.setAmount(address, service.token('USDC'), 5n)
    service.advance(10)
    service.reset()
    expect([service.units, service.requests]).toEqual([0, []])
    expect(await get()).toEqual(before)
  })
})

describe('faults that delay a response', () => {
  it('delays by a timer, also in fake time', async () => {
    vi.useFakeTimers()
    const { service, get } = start({ timeout: 1000 })
    service.fail({ kind: 'slow', delay: 999, times: 1 })
    const response = get()
    await vi.advanceTimersByTimeAsync(999)
    await expect(response).resolves.toBeDefined()
    service.fail({ kind: 'slow', delay: 1001 })
    const late = expect(get()).rejects.toBeInstanceOf(TimeoutError)
    await vi.advanceTimersByTimeAsync(1000)
    await late
    // Neither leaves a timer.
    expect(vi.getTimerCount()).toBe(0)
  })

  it('holds a response of the state at the time of the request until it is healed', async () => {
    vi.useFakeTimers()
    const { service, address, get } = start()
    const usdc = service.token('USDC')
    service.setAmount(address, usdc, 5n)
    service.fail({ kind: 'hold', times: 1 })
    const getAmount = ({ balances }: Awaited<ReturnType<typeof get>>) =>
      balances.find((balance) => balance.address === usdc.address)?.amount
    const held = get()
    service.setAmount(address, usdc, 6n)
    expect(getAmount(await get())).toBe('6')
    service.heal()
    expect(getAmount(await held)).toBe('5')
  })

  it('are not used by preflights', async () => {
    vi.useFakeTimers()
    const { service, address, get } = start()
    service.fail({ kind: 'hold', times: 1 })
    service.fail({ kind: 'slow', delay: 1000, times: 1 })
    const url = `${service.url}/v1/evm/balances/${address}`
    expect((await service.fetch(url, { method: 'OPTIONS' })).status).toBe(204)
    let isSettled = false
    const response = get().finally(() => (isSettled = true))
    await vi.advanceTimersByTimeAsync(1000)
    service.heal()
    await vi.advanceTimersByTimeAsync(999)
    expect(isSettled).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    await response
  })

  it('rejects by the signal, in flight and before', async () => {
    const { service, get } = start()
    service.fail({ kind: 'hold' })
    const controller = new AbortController()
    const reason = new Error('left')
    const response = get({ signal: controller.signal })
    controller.abort(reason)
    await expect(response).rejects.toBe(reason)
    expect(service.requests).toHaveLength(1)

    const { signal } = controller
    await expect(service.fetch(service.url, { signal })).rejects.toBe(reason)
    await expect(service.fetch(new Request(service.url, { signal }))).rejects.toBe(reason)
    expect(service.requests).toHaveLength(1)
  })

  it('are the only ones with a timer: a stream polls in fake time', async () => {
    vi.useFakeTimers()
    const { service, client, address } = start({ ssr: false })
    const prices: (number | undefined)[] = []
    const subscription = watchBalances(
      client,
      { address, chainIds: [1] },
      { refetchInterval: 1000 },
    ).subscribe(({ data }) => prices.push(data?.[0]?.price_usd))
    await vi.advanceTimersByTimeAsync(0)
    service.advance()
    await vi.advanceTimersByTimeAsync(1000)
    subscription.unsubscribe()
    client.destroy()
    expect(new Set(prices).size).toBe(3)
    expect(service.requests).toHaveLength(2)
  })
})

describe('faults that corrupt a response', () => {
  it('makes every second item malformed, which the client sanitizes or omits', async () => {
    const { service, get } = start()
    const whole = await get()
    service.fail({ kind: 'halfValid', times: 1 })
    const { balances, warnings } = await get()
    expect(warnings?.map(({ code }) => code).sort()).toEqual([
      'MALFORMED_FIELDS',
      'MALFORMED_ITEMS',
    ])
    expect(balances.length).toBeLessThan(whole.balances.length)
    expect(balances.length).toBeGreaterThan(whole.balances.length / 2)
  })

  it('adds warnings, and reports an unreadable item', async () => {
    const { service, get } = start()
    const { balances: whole } = await get()
    const warning = { code: 'CHAIN_LAGS', message: 'Base lags', chain_ids: [8453] }
    service.fail({ kind: 'warning', warning })
    service.fail({ kind: 'unreadable' })
    const { warnings, errors, balances } = await get()
    expect(warnings).toEqual([warning])
    const { chain_id, address } = whole[0]!
    expect(errors?.token_errors).toMatchObject([{ chain_id, address }])
    expect(balances).toEqual(whole.slice(1))
  })

  it('reports stablecoins that lost their peg with the prices of their chain', async () => {
    const { service, client } = start()
    const { chainId, address } = service.token('USDC')
    service.setPrice({ chainId, address }, 0.87)
    service.fail({ kind: 'depegged', chainId, addresses: [address] })
    const info = await getTokenInfo(client, { address, chainIds: [chainId] })
    expect(info.tokens[0]?.price_usd).toBe(0.87)
    expect(info.warnings).toMatchObject([
      { code: 'DEPEGGED', chain_id: chainId, addresses: [address] },
    ])
    const holders = await getTokenHolders(client, { chainId, address, limit: 1 })
    expect(holders.warnings ?? []).toEqual([])
  })

  it('reorders rows between pages without a loss', async () => {
    const { service, client } = start()
    const { chainId, address } = service.token('CROWD')
    service.fail({ kind: 'reorder', operation: 'tokenHolders' })
    const received: string[] = []
    const { pages } = paginateTokenHolders(client, { chainId, address })
    for await (const page of pages) {
      received.push(...page.holders.map(({ wallet_address }) => wallet_address))
    }
    expect(new Set(received).size).toBe(2000)
    expect(service.requests).toHaveLength(4)
    // On the wire, the last row of a page is on the next one, too.
    service.reset()
    service.fail({ kind: 'reorder' })
    const headers = { 'X-Service-Api-Key': service.key }
    const path = `${service.url}/v1/evm/token-holders/${chainId}/${address}?limit=2`
    const getPage = async (offset = '') => {
      const response = await service.fetch(`${path}${offset}`, { headers })
      return (await response.json()) as {
        holders: { wallet_address: string }[]
        next_offset: string
      }
    }
    const first = await getPage()
    const second = await getPage(`&offset=${first.next_offset}`)
    expect(second.holders[0]).toEqual(first.holders[1])
    expect(second.holders).toHaveLength(3)
  })

  it('responds with the first page for any cursor', async () => {
    const { service, client } = start()
    const { chainId, address } = service.token('CROWD')
    service.fail({ kind: 'deadCursor' })
    const received: string[] = []
    const list = async () => {
      for await (const { wallet_address } of paginateTokenHolders(client, { chainId, address })) {
        received.push(wallet_address)
      }
    }
    await expect(list()).rejects.toThrow('repeats an earlier cursor')
    expect([received.length, new Set(received).size, service.requests.length]).toEqual([
      500, 500, 2,
    ])
  })
})
