import { pino } from 'pino'
import { expect, it } from 'vitest'
import { API_KEY_HEADER } from '@headwater/contract'
import { createTestApp, testSecret } from '../../test/createTestApp.ts'
import { wallet } from '../../test/oneBalanceChain.ts'
import { testChainConfig, testTokens } from '../../test/testChainConfig.ts'

const path = `/v1/evm/balances/${wallet}`
const sevenHills = {
  chains: [testChainConfig(7, { name: 'Seven Hills', tags: ['default'] }), testChainConfig(8)],
}

/** Status, code and parameter of an error response, whose shape is the same for all. */
async function readError(response: Response) {
  const body = (await response.json()) as Record<string, unknown>
  const { error, message, code, param, request_id, ...rest } = body
  expect(rest).toEqual({})
  expect(error).toMatch(/^\S.*\w/)
  expect(message).toBe(error)
  expect(request_id).toBe(response.headers.get('x-request-id'))
  expect(response.headers.get('content-type')).toMatch(/^application\/json/)
  expect(response.headers.get('cache-control')).toBe('no-store')
  expect(response.headers.get('x-compute-units-cost')).toBe('0')
  expect(response.headers.get('access-control-allow-origin')).toBe('*')
  return { status: response.status, code, ...(param !== undefined && { param }) }
}

function invalid(param: string) {
  return { status: 400, code: 'INVALID_PARAMETER', param }
}

it('rejects invalid parameters, naming them', async () => {
  const { fetch } = createTestApp(sevenHills)
  for (const [request, expected] of [
    ['/v1/evm/balances/0x12', invalid('address')],
    [`/v1/evm/balances/${wallet}0`, invalid('address')],
    [`/v1/evm/balances/${wallet.slice(0, -1)}g`, invalid('address')],
    ['/v1/evm/balances/vitalik.eth', invalid('address')],
    ['/v1/evm/balances/native', invalid('address')],
    ['/v1/evm/balances/%20', invalid('address')],
    [`${path}?limit=0`, invalid('limit')],
    [`${path}?limit=-1`, invalid('limit')],
    [`${path}?limit=ten`, invalid('limit')],
    [`${path}?limit=1.5`, invalid('limit')],
    [`${path}?limit=1e2`, invalid('limit')],
    [`${path}?limit=`, invalid('limit')],
    [`${path}?historical_prices=1,2,3,4`, invalid('historical_prices')],
    [`${path}?historical_prices=0`, invalid('historical_prices')],
    [`${path}?historical_prices=1,0`, invalid('historical_prices')],
    [`${path}?historical_prices=1.5`, invalid('historical_prices')],
    [`${path}?historical_prices=`, invalid('historical_prices')],
    [`${path}?historical_prices=1,,2`, invalid('historical_prices')],
    [`${path}?historical_prices=9007199254740992`, invalid('historical_prices')],
    [`${path}?chain_ids=9007199254740993`, invalid('chain_ids')],
    [`${path}?chain_ids=7,99999999999999999999`, invalid('chain_ids')],
    [`/v1/evm/collectibles/${wallet}?chain_ids=9007199254740993`, invalid('chain_ids')],
    [`/v1/evm/token-holders/9007199254740993/${wallet}`, invalid('chain_id')],
    [`/v1/evm/token-holders/7/${wallet}?limit=0`, invalid('limit')],
    [`/v1/evm/token-holders/7/${wallet}?limit=-1`, invalid('limit')],
    [`/v1/evm/token-holders/7/${wallet}?limit=1.5`, invalid('limit')],
    [`/v1/evm/collectibles/${wallet}?limit=0`, invalid('limit')],
    [`/v1/evm/token-info/${wallet}?chain_ids=7&limit=-1`, invalid('limit')],
    ...[`token-info/${wallet}`, `balances/${wallet}/token/${wallet}`].flatMap((of) =>
      ['0', '1.5', '-1', '', '1,2,3,4', '9007199254740992'].map(
        (hours) =>
          [
            `/v1/evm/${of}?chain_ids=7&historical_prices=${hours}`,
            invalid('historical_prices'),
          ] as const,
      ),
    ),
    [`${path}?filters=nft`, invalid('filters')],
    [`${path}?metadata=logo,colour`, invalid('metadata')],
    [`${path}?exclude_spam_tokens=yes`, invalid('exclude_spam_tokens')],
    [`${path}?chain_ids=`, invalid('chain_ids')],
    [`${path}?chain_ids=7,`, invalid('chain_ids')],
    [`${path}?chain_ids=0`, invalid('chain_ids')],
    [`${path}?chain_ids=-7`, invalid('chain_ids')],
    [`${path}?chain_ids=7.0`, invalid('chain_ids')],
    [
      `${path}?chain_ids=seven%20hills`,
      { status: 400, code: 'CHAIN_NAME_NOT_ACCEPTED', param: 'chain_ids' },
    ],
  ] as const) {
    expect({ request, ...(await readError(await fetch(request))) }).toEqual({
      request,
      ...expected,
    })
  }
})

it('explains an invalid parameter by its rule', async () => {
  const response = await createTestApp().fetch(`${path}?limit=0`)
  const { error } = (await response.json()) as { error: string }
  expect(error).toMatch(/^limit must be at least 1\. Maximum number of entries/)
})

it('rejects names of chains, and tags that no chain has', async () => {
  const { fetch } = createTestApp(sevenHills)
  const name = { status: 400, code: 'CHAIN_NAME_NOT_ACCEPTED', param: 'chain_ids' }
  for (const word of ['ethereum', 'Ethereum', 'base', 'polygon', '7,seven_hills', 'SevenHills']) {
    const error = await readError(await fetch(`${path}?chain_ids=${word}`))
    expect({ word, ...error }).toEqual({ word, ...name })
  }
  const tag = { status: 400, code: 'UNKNOWN_CHAIN_TAG', param: 'chain_ids' }
  for (const word of ['mainnet', 'testnet', 'nonsense', '7,nonsense', 'Default']) {
    const error = await readError(await fetch(`${path}?chain_ids=${word}`))
    expect({ word, ...error }).toEqual({ word, ...tag })
  }
})

it('rejects a repeated parameter', async () => {
  const { fetch } = createTestApp(sevenHills)
  for (const twice of ['limit=1&limit=1', 'chain_ids=7&chain_ids=7', 'offset=a&offset=b']) {
    expect(await readError(await fetch(`${path}?${twice}`))).toEqual({
      status: 400,
      code: 'REPEATED_PARAMETER',
      param: twice.split('=')[0],
    })
  }
})

it('requires exactly one served chain, by its id, for operations of one chain', async () => {
  const { fetch } = createTestApp(sevenHills)
  for (const [param, pathOf] of [
    ['chain_ids', (chain: string) => `/v1/evm/token-info/${testTokens.usd}?chain_ids=${chain}`],
    ['chain_ids', (chain: string) => `${path}/token/${testTokens.usd}?chain_ids=${chain}`],
    ['chain_id', (chain: string) => `/v1/evm/token-holders/${chain}/${testTokens.usd}`],
  ] as const) {
    const errorOf = async (request: string) => await readError(await fetch(request))
    expect(await errorOf(pathOf('9'))).toEqual({ status: 404, code: 'CHAIN_NOT_SUPPORTED', param })
    for (const name of ['ethereum', 'Base', 'seven_hills']) {
      expect({ name, ...(await errorOf(pathOf(name))) }).toEqual({
        name,
        status: 400,
        code: 'CHAIN_NAME_NOT_ACCEPTED',
        param,
      })
    }
    for (const chain of ['default', 'mainnet', 'nonsense', '0', '-7', '7.0']) {
      expect({ chain, ...(await errorOf(pathOf(chain))) }).toEqual({ chain, ...invalid(param) })
    }
    if (param === 'chain_ids') {
      for (const chain of ['7,8', '', '7,']) {
        expect({ chain, ...(await errorOf(pathOf(chain))) }).toEqual({ chain, ...invalid(param) })
      }
      expect(await errorOf(pathOf('').split('?', 1)[0] ?? '')).toEqual(invalid(param))
    }
  }
})

it('accepts only valid keys, with the same response for all that are not', async () => {
  const { fetch } = createTestApp({
    keys: [
      {},
      { expiresAt: new Date(Date.now() - 1000) },
      { revokedAt: new Date() },
      { purpose: 'admin' },
    ],
  })
  const send = (secret: string) => fetch(path, { headers: { [API_KEY_HEADER]: secret } })
  expect(await readError(await send(''))).toEqual({ status: 401, code: 'API_KEY_MISSING' })
  const messages = new Set<unknown>()
  for (const secret of ['hw_unknown', testSecret(99), testSecret(2), testSecret(3)]) {
    const response = await send(secret)
    messages.add(((await response.clone().json()) as { error: string }).error)
    expect(await readError(response)).toEqual({ status: 401, code: 'API_KEY_INVALID' })
  }
  expect(messages.size).toBe(1)
  const admin = await send(testSecret(4))
  expect(await readError(admin)).toEqual({ status: 403, code: 'API_KEY_PURPOSE' })
  expect(admin.headers.get('x-ratelimit-limit')).toMatch(/^\d+$/)
  expect(admin.headers.get('x-ratelimit-remaining')).toMatch(/^\d+$/)
})

it('checks path, method, URL, key, rate, parameters and units in this order', async () => {
  const { fetch } = createTestApp({
    ...sevenHills,
    keys: [
      { unitsQuota: 0, rate: { requests: 2, seconds: 3600 } },
      { unitsQuota: 0, rate: { requests: 1, seconds: 3600 } },
    ],
  })
  const send = async (request: string, init?: RequestInit) =>
    (await readError(await fetch(request, init))).code
  const noKey = { headers: { [API_KEY_HEADER]: '' } }
  for (const unknown of ['/v1/evm/balances', '/v1/evm/balances/', `${path}/`, '/v2']) {
    expect(await send(unknown, { ...noKey, method: 'POST' })).toBe('NOT_FOUND')
  }
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
    const response = await fetch(`${path}?limit=0`, { ...noKey, method })
    expect(response.headers.get('allow')).toBe('GET, HEAD, OPTIONS')
    expect(await readError(response)).toEqual({ status: 405, code: 'METHOD_NOT_ALLOWED' })
  }
  expect(await send(`${path}?offset=${'x'.repeat(9000)}`, noKey)).toBe('URL_TOO_LONG')
  expect(await send(`${path}?limit=0`, noKey)).toBe('API_KEY_MISSING')
  expect(await send(`${path}?limit=0`)).toBe('INVALID_PARAMETER')
  expect(await send(`${path}?chain_ids=7`)).toBe('UNITS_EXHAUSTED')
  expect(await send(`${path}?limit=0`)).toBe('RATE_EXCEEDED')
  expect(await send(`${path}?limit=0`, { headers: { [API_KEY_HEADER]: testSecret(2) } })).toBe(
    'INVALID_PARAMETER',
  )
})

it('reports the rate limit with every response to a valid key', async () => {
  const { fetch } = createTestApp({ keys: [{ rate: { requests: 3, seconds: 3600 } }, {}] })
  const rate = ({ headers }: Response) =>
    ['limit', 'remaining', 'reset'].map((name) => headers.get(`x-ratelimit-${name}`))
  expect(rate(await fetch(`${path}?limit=0`))).toEqual(['3', '2', '1200'])
  expect(rate(await fetch(`${path}?limit=0`)).slice(0, 2)).toEqual(['3', '1'])
  expect(rate(await fetch(`${path}?limit=0`)).slice(0, 2)).toEqual(['3', '0'])
  for (let again = 0; again < 2; again++) {
    const rejected = await fetch(`${path}?limit=0`)
    const wait = Number(rejected.headers.get('retry-after'))
    expect(wait).toBeGreaterThan(1000)
    expect(wait).toBeLessThanOrEqual(1200)
    expect(rate(rejected).slice(0, 2)).toEqual(['3', '0'])
    expect(await readError(rejected)).toEqual({ status: 429, code: 'RATE_EXCEEDED' })
  }
  const configured = await fetch(`${path}?limit=0`, {
    headers: { [API_KEY_HEADER]: testSecret(2) },
  })
  expect(configured.headers.get('x-ratelimit-limit')).toBe('100000')
  const withoutKey = await fetch(path, { headers: { [API_KEY_HEADER]: '' } })
  expect(rate(withoutKey)).toEqual([null, null, null])
})

it('releases the units of a failed request, and reports the remaining ones', async () => {
  const { fetch } = createTestApp({ ...sevenHills, keys: [{ unitsQuota: 2 }] })
  const send = async (request: string) => {
    const { status, headers } = await fetch(request)
    return [status, headers.get('x-compute-units-cost'), headers.get('x-compute-units-remaining')]
  }
  expect(await send(`${path}?limit=0`)).toEqual([400, '0', '2'])
  for (let again = 0; again < 2; again++) {
    expect(await send(`${path}?chain_ids=7,8`)).toEqual([500, '0', '2'])
  }
})

it('logs an unexpected error, and does not reveal it', async () => {
  const storeError = new Error('relation "balances" does not exist')
  const { fetch, log } = createTestApp({ storeError })
  const response = await fetch(path)
  expect(await response.clone().text()).not.toMatch(/balances|relation|postgres|stack/i)
  expect(await readError(response)).toEqual({ status: 500, code: 'INTERNAL_ERROR' })
  expect(log()).toContain('relation')
  expect(log()).toContain(String(response.headers.get('x-request-id')))
})

it('responds with 503 while the database is unavailable', async () => {
  const storeError = Object.assign(new Error('connect failed'), { code: 'ECONNREFUSED' })
  const { fetch } = createTestApp({ storeError })
  for (const request of [path, '/ready']) {
    const response = await fetch(request)
    expect(response.headers.get('retry-after')).toMatch(/^\d+$/)
    expect(await readError(response)).toEqual({ status: 503, code: 'STORE_UNAVAILABLE' })
  }
  expect((await fetch('/health')).status).toBe(200)
})

it.each([
  [false, ['warn', 'debug']],
  [true, ['debug', 'debug']],
])('warns once of an outage that is known: %s', async (isStoreUnavailable, levels) => {
  const storeError = Object.assign(new Error('connect failed'), { code: 'ECONNREFUSED' })
  const { fetch, log } = createTestApp({ storeError, isStoreUnavailable })
  const responses = [await fetch(path), await fetch(path)]
  const logged = log()
    .split('\n')
    .filter((line) => line.includes('failed to read the store'))
    .map((line) => JSON.parse(line) as { level: number; requestId: string })
  expect(logged.map(({ level }) => pino.levels.labels[level])).toEqual(levels)
  expect(logged.map(({ requestId }) => requestId)).toEqual(
    responses.map(({ headers }) => headers.get('x-request-id')),
  )
})

it('keeps keys and query strings out of the log', async () => {
  const { fetch, log } = createTestApp()
  await fetch(`${path}?api_key=${testSecret(1)}`)
  expect(log()).toContain(`"path":"${path}"`)
  expect(log()).not.toContain(testSecret(1))
})
