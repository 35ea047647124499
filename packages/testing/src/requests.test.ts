import { describe, expect, it } from 'vitest'
import { API_KEY_HEADER, type BalancesResponse } from '@headwater/contract'
import { describeSupportedChains } from '@headwater/contract/schemas'
import { createFakeService } from './createFakeService.ts'

const service = createFakeService()
const wallet = service.wallet('everyday').address
const token = service.token('USDC').address
const balances = `/v1/evm/balances/${wallet}`

const send = (path: string, init?: RequestInit) =>
  service.fetch(service.url + path, {
    ...init,
    headers: { [API_KEY_HEADER]: service.key, ...(init?.headers as Record<string, string>) },
  })

/** Checks the body of an error response, whose shape is always the same. */
async function readError(response: Response) {
  const body = (await response.json()) as Record<string, unknown>
  const { error, message, code, param, request_id, ...rest } = body
  expect(rest).toEqual({})
  expect(error).toMatch(/^\S.*\w/)
  expect(message).toBe(error)
  expect(request_id).toBe(response.headers.get('x-request-id'))
  expect(response.headers.get('content-type')).toMatch(/^application\/json/)
  expect(response.headers.get('x-compute-units-cost')).toBe('0')
  expect(response.headers.get('access-control-allow-origin')).toBe('*')
  return { status: response.status, code, ...(param !== undefined && { param }) }
}

const malformed = (param: string) => ({ status: 400, code: 'INVALID_PARAMETER', param })

describe('requests', () => {
  it.each([
    ['/v1/evm/balances/0x12', 'address'],
    [`${balances}0`, 'address'],
    ['/v1/evm/balances/native', 'address'],
    ['/v1/evm/balances/%20', 'address'],
    ['/v1/evm/balances/%E0%A4%A', 'address'],
    [`${balances}?limit=0`, 'limit'],
    [`${balances}?limit=ten`, 'limit'],
    [`${balances}?limit=1.5`, 'limit'],
    [`${balances}?limit=`, 'limit'],
    [`${balances}?historical_prices=1,2,3,4`, 'historical_prices'],
    [`${balances}?historical_prices=1,,2`, 'historical_prices'],
    [`${balances}?chain_ids=9007199254740993`, 'chain_ids'],
    [`${balances}?chain_ids=1,`, 'chain_ids'],
    [`${balances}?chain_ids=`, 'chain_ids'],
    [`${balances}?filters=nft`, 'filters'],
    [`${balances}?metadata=logo,colour`, 'metadata'],
    [`${balances}?exclude_spam_tokens=yes`, 'exclude_spam_tokens'],
    [`/v1/evm/collectibles/${wallet}?limit=0`, 'limit'],
    [`/v1/evm/token-holders/1/${token}?limit=-1`, 'limit'],
    [`/v1/evm/token-holders/default/${token}`, 'chain_id'],
    [`/v1/evm/token-info/${token}?chain_ids=1&limit=-1`, 'limit'],
    [`/v1/evm/token-info/${token}`, 'chain_ids'],
    [`/v1/evm/token-info/${token}?chain_ids=1,8453`, 'chain_ids'],
    [`/v1/evm/token-info/${token}?chain_ids=default`, 'chain_ids'],
    [`${balances}/token/${token}?chain_ids=1&historical_prices=0`, 'historical_prices'],
  ])('rejects %s because of %s', async (path, param) => {
    expect(await readError(await send(path))).toEqual(malformed(param))
  })

  it.each([
    [`${balances}?chain_ids=Ethereum`, 400, 'CHAIN_NAME_NOT_ACCEPTED', 'chain_ids'],
    [`/v1/evm/token-info/native?chain_ids=base`, 400, 'CHAIN_NAME_NOT_ACCEPTED', 'chain_ids'],
    [`/v1/evm/token-holders/polygon/${token}`, 400, 'CHAIN_NAME_NOT_ACCEPTED', 'chain_id'],
    [`${balances}?chain_ids=1,nonsense`, 400, 'UNKNOWN_CHAIN_TAG', 'chain_ids'],
    [`${balances}?limit=1&limit=1`, 400, 'REPEATED_PARAMETER', 'limit'],
    [`/v1/evm/token-info/native?chain_ids=5`, 404, 'CHAIN_NOT_SUPPORTED', 'chain_ids'],
    [`/v1/evm/token-holders/5/${token}`, 404, 'CHAIN_NOT_SUPPORTED', 'chain_id'],
    [`${balances}/token/native?chain_ids=5`, 404, 'CHAIN_NOT_SUPPORTED', 'chain_ids'],
    [`/v1/evm/token-info/${wallet}?chain_ids=1`, 404, 'TOKEN_NOT_FOUND', 'address'],
    [`/v1/evm/token-holders/1/${wallet}`, 404, 'TOKEN_NOT_FOUND', 'address'],
    [`${balances}/token/${wallet}?chain_ids=1`, 404, 'TOKEN_NOT_FOUND', 'token_address'],
  ])('rejects %s with %i %s', async (path, status, code, param) => {
    expect(await readError(await send(path))).toEqual({ status, code, param })
  })

  it('validates path, method, key and parameters in this order', async () => {
    for (const path of [
      '/',
      '/v1/evm/balances/',
      `${balances}/`,
      '/v2',
      '/beta/token/logo/1/2/3',
    ]) {
      expect(await readError(await service.fetch(service.url + path, { method: 'POST' }))).toEqual({
        status: 404,
        code: 'NOT_FOUND',
      })
    }
    const posted = await service.fetch(`${service.url}${balances}?limit=0`, { method: 'post' })
    expect(posted.headers.get('allow')).toBe('GET, HEAD, OPTIONS')
    expect(await readError(posted)).toEqual({ status: 405, code: 'METHOD_NOT_ALLOWED' })
    const keyless = await service.fetch(`${service.url}${balances}?limit=0`)
    expect(await readError(keyless)).toEqual({ status: 401, code: 'API_KEY_MISSING' })
    const empty = await send(balances, { headers: { [API_KEY_HEADER]: ' ' } })
    expect(await readError(empty)).toEqual({ status: 401, code: 'API_KEY_MISSING' })
    const wrong = await send(balances, { headers: { [API_KEY_HEADER]: 'wrong' } })
    expect(await readError(wrong)).toEqual({ status: 401, code: 'API_KEY_INVALID' })
  })

  it('ignores undeclared parameters, spaces and repeated chains', async () => {
    const chains = `chain_ids=${encodeURIComponent('1, 8453 ,1,mainnet')}`
    const response = await send(`${balances}?${chains}&colour=red&colour=blue&chainIds=Ethereum`)
    expect(response.headers.get('x-block-numbers')).toMatch(/^1=\d+,137=\d+,8453=\d+$/)
    expect(response.headers.get('x-compute-units-cost')).toBe('3')
  })

  it('responds for supported chains, and warns of others', async () => {
    const response = await send(`${balances}?chain_ids=1,5,6`)
    expect(response.headers.get('x-compute-units-cost')).toBe('1')
    expect(await response.json()).toMatchObject({
      warnings: [{ code: 'UNSUPPORTED_CHAIN_IDS', chain_ids: [5, 6] }],
    })
  })

  it('handles any host, also in links, below the path of its own URL', async () => {
    const below = createFakeService({ url: 'https://headwater.test/data/' })
    const options = { headers: { [API_KEY_HEADER]: below.key } }
    const url = `http://127.0.0.1:9/data${balances}?chain_ids=1&filters=native&metadata=logo`
    const response = await below.fetch(url, options)
    expect(await response.json()).toMatchObject({
      balances: [{ token_metadata: { logo: 'http://127.0.0.1:9/data/beta/token/logo/1' } }],
    })
    const logo = await below.fetch('http://127.0.0.1:9/data/beta/token/logo/1')
    expect(logo.status).toBe(200)
    const elsewhere = await below.fetch(`https://headwater.test${balances}`, options)
    expect(await readError(elsewhere)).toEqual({ status: 404, code: 'NOT_FOUND' })
  })

  it.each([
    balances,
    '/v1/evm/changes?wallets=1:0x12',
    '/v1/evm/supported-chains',
    '/health',
    '/beta/token/logo/1',
    `/v1/evm/collectible/image/1/${token}/1`,
  ])('rejects %s below another path, such as that of a base URL that ends in /v1', async (path) => {
    const { url, key, fetch } = createFakeService({ changes: true })
    const response = await fetch(`${url}/v1${path}`, { headers: { [API_KEY_HEADER]: key } })
    expect(await readError(response)).toEqual({ status: 404, code: 'NOT_FOUND' })
  })

  it('handles HEAD, preflights and entity tags', async () => {
    const first = await send(balances)
    const tag = first.headers.get('etag') ?? ''
    const head = await send(balances, { method: 'HEAD' })
    expect([head.status, await head.text(), head.headers.get('etag')]).toEqual([200, '', tag])
    const again = await send(balances, { headers: { 'If-None-Match': tag } })
    expect([again.status, await again.text()]).toEqual([304, ''])
    expect(again.headers.get('x-compute-units-cost')).toBe('3')
    service.advance()
    const changed = await send(balances, { headers: { 'If-None-Match': tag } })
    expect(changed.status).toBe(200)
    const preflight = await service.fetch(service.url + balances, { method: 'OPTIONS' })
    expect(preflight.status).toBe(204)
    expect(preflight.headers.get('access-control-allow-headers')).toBe(API_KEY_HEADER)
    const unknown = await service.fetch(`${service.url}/nope`, { method: 'OPTIONS' })
    expect(unknown.status).toBe(204)
  })

  it('continues a listing whose parameters have their default values', async () => {
    const firstOf = async (query: string) => {
      const response = await send(`${balances}?limit=1&${query}`)
      return (await response.json()) as BalancesResponse
    }
    const { balances: page, next_offset } = await firstOf('')
    const { balances: next } = await firstOf(`exclude_spam_tokens=false&offset=${next_offset}`)
    expect(next).toHaveLength(1)
    expect(next).not.toEqual(page)
  })

  it('serves supported chains, logos and images without a key', async () => {
    const chains = await service.fetch(`${service.url}/v1/evm/supported-chains`)
    expect(await chains.json()).toEqual(describeSupportedChains(service.chains))
    const logo = await service.fetch(`${service.url}/beta/token/logo/1`)
    expect(logo.headers.get('content-type')).toBe('image/svg+xml')
    expect(await logo.text()).toMatch(/^<svg /)
  })

  it('rejects with 402 above the quota, and with 429 above the rate limit', async () => {
    const limited = createFakeService({ quota: 4 })
    const sendLimited = () =>
      limited.fetch(`${limited.url}${balances}`, { headers: { [API_KEY_HEADER]: limited.key } })
    expect((await sendLimited()).headers.get('x-compute-units-remaining')).toBe('1')
    const rejected = await sendLimited()
    expect(rejected.headers.get('x-compute-units-remaining')).toBe('1')
    expect(await readError(rejected)).toEqual({ status: 402, code: 'UNITS_EXHAUSTED' })

    const slow = createFakeService({ rate: { requests: 2, seconds: 3600 } })
    const sendSlow = () =>
      slow.fetch(`${slow.url}${balances}`, { headers: { [API_KEY_HEADER]: slow.key } })
    const remaining = [await sendSlow(), await sendSlow(), await sendSlow()].map(
      ({ status, headers }) => [
        status,
        headers.get('x-ratelimit-limit'),
        headers.get('x-ratelimit-remaining'),
      ],
    )
    expect(remaining).toEqual([
      [200, '2', '1'],
      [200, '2', '0'],
      [429, '2', '0'],
    ])
    expect(Number((await sendSlow()).headers.get('retry-after'))).toBeGreaterThan(1000)
  })
})
