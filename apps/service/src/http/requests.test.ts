import { expect, it } from 'vitest'
import { API_KEY_HEADER } from '@headwater/contract'
import { describeEachStore } from '../../test/describeEachStore.ts'
import { oneBalanceChain, wallet } from '../../test/oneBalanceChain.ts'
import { seedChain } from '../../test/seedChain.ts'
import { startTestService } from '../../test/startTestService.ts'
import { testChainConfig } from '../../test/testChainConfig.ts'
import { createKey } from '../keys/createKey.ts'
import { revokeKey } from '../keys/revokeKey.ts'
import type { Store } from '../store/Store.ts'

const path = `/v1/evm/balances/${wallet}`
const erc20 = `${path}?filters=erc20`

async function startSeven(store: Store) {
  await seedChain(store.db, oneBalanceChain)
  return await startTestService(store, [
    testChainConfig(7, { name: 'Seven Hills', tags: ['default'] }),
  ])
}

/** The body of a refusal, whose shape is the same for all. */
async function refusal(response: Response) {
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

function malformed(param: string) {
  return { status: 400, code: 'INVALID_PARAMETER', param }
}

describeEachStore('requests', (openTestStore) => {
  it('refuses parameters that are wrong, naming them', async () => {
    const { fetch } = await startSeven(await openTestStore())
    for (const [query, expected] of [
      ['/v1/evm/balances/0x12', malformed('address')],
      [`/v1/evm/balances/${wallet}0`, malformed('address')],
      [`/v1/evm/balances/${wallet.slice(0, -1)}g`, malformed('address')],
      ['/v1/evm/balances/vitalik.eth', malformed('address')],
      ['/v1/evm/balances/native', malformed('address')],
      ['/v1/evm/balances/%20', malformed('address')],
      [`${path}?limit=0`, malformed('limit')],
      [`${path}?limit=-1`, malformed('limit')],
      [`${path}?limit=ten`, malformed('limit')],
      [`${path}?limit=1.5`, malformed('limit')],
      [`${path}?limit=1e2`, malformed('limit')],
      [`${path}?limit=`, malformed('limit')],
      [`${path}?historical_prices=1,2,3,4`, malformed('historical_prices')],
      [`${path}?historical_prices=0`, malformed('historical_prices')],
      [`${path}?historical_prices=1,0`, malformed('historical_prices')],
      [`${path}?historical_prices=-1`, malformed('historical_prices')],
      [`${path}?historical_prices=1.5`, malformed('historical_prices')],
      [`${path}?historical_prices=`, malformed('historical_prices')],
      [`${path}?historical_prices=1,,2`, malformed('historical_prices')],
      [`${path}?historical_prices=9007199254740992`, malformed('historical_prices')],
      [`${path}?chain_ids=9007199254740993`, malformed('chain_ids')],
      [`${path}?chain_ids=7,99999999999999999999`, malformed('chain_ids')],
      [`/v1/evm/collectibles/${wallet}?chain_ids=9007199254740993`, malformed('chain_ids')],
      [`/v1/evm/token-holders/9007199254740993/${wallet}`, malformed('chain_id')],
      [`/v1/evm/token-holders/7/${wallet}?limit=0`, malformed('limit')],
      [`/v1/evm/token-holders/7/${wallet}?limit=-1`, malformed('limit')],
      [`/v1/evm/token-holders/7/${wallet}?limit=1.5`, malformed('limit')],
      [`/v1/evm/collectibles/${wallet}?limit=0`, malformed('limit')],
      [`/v1/evm/token-info/${wallet}?chain_ids=7&limit=-1`, malformed('limit')],
      ...[`token-info/${wallet}`, `balances/${wallet}/token/${wallet}`].flatMap((of) =>
        ['0', '1.5', '-1', '', '1,2,3,4', '9007199254740992'].map(
          (hours) =>
            [
              `/v1/evm/${of}?chain_ids=7&historical_prices=${hours}`,
              malformed('historical_prices'),
            ] as const,
        ),
      ),
      [`${path}?filters=nft`, malformed('filters')],
      [`${path}?metadata=logo,colour`, malformed('metadata')],
      [`${path}?exclude_spam_tokens=yes`, malformed('exclude_spam_tokens')],
      [`${path}?chain_ids=`, malformed('chain_ids')],
      [`${path}?chain_ids=7,`, malformed('chain_ids')],
      [`${path}?chain_ids=0`, malformed('chain_ids')],
      [`${path}?chain_ids=-7`, malformed('chain_ids')],
      [`${path}?chain_ids=7.0`, malformed('chain_ids')],
      [`${path}?chain_ids=seven%20hills`, malformed('chain_ids')],
    ] as const) {
      expect({ query, ...(await refusal(await fetch(query))) }).toEqual({ query, ...expected })
    }
  })

  it('refuses names of chains, and tags that no chain carries', async () => {
    const { fetch } = await startSeven(await openTestStore())
    const codeOf = async (chainIds: string) =>
      await refusal(await fetch(`${path}?chain_ids=${chainIds}`))
    const name = { status: 400, code: 'CHAIN_NAME_NOT_ACCEPTED', param: 'chain_ids' }
    for (const word of ['ethereum', 'Ethereum', 'base', 'polygon', '7,seven_hills', 'SevenHills']) {
      expect({ word, ...(await codeOf(word)) }).toEqual({ word, ...name })
    }
    const tag = { status: 400, code: 'UNKNOWN_CHAIN_TAG', param: 'chain_ids' }
    for (const word of ['mainnet', 'testnet', 'nonsense', '7,nonsense', 'Default']) {
      expect({ word, ...(await codeOf(word)) }).toEqual({ word, ...tag })
    }
  })

  it('refuses a parameter that is given twice, and ignores those it does not know', async () => {
    const { fetch } = await startSeven(await openTestStore())
    for (const twice of ['limit=1&limit=1', 'chain_ids=7&chain_ids=7', 'offset=a&offset=b']) {
      expect(await refusal(await fetch(`${path}?${twice}`))).toEqual({
        status: 400,
        code: 'REPEATED_PARAMETER',
        param: twice.split('=')[0],
      })
    }
    const unknown = 'colour=red&colour=blue&address=0x1&chainIds=ethereum'
    expect((await fetch(`${erc20}&${unknown}`)).status).toBe(200)
  })

  it('takes only a key that is good now, with one answer for those that are not', async () => {
    const store = await openTestStore()
    const { url, secret } = await startSeven(store)
    const ask = (headers: Record<string, string>) => fetch(url + erc20, { headers })
    const { db } = store
    expect((await ask({ [API_KEY_HEADER]: secret })).status).toBe(200)
    expect(await refusal(await ask({}))).toEqual({ status: 401, code: 'API_KEY_MISSING' })

    const expired = await createKey(db, { name: 'old', expiresAt: new Date(Date.now() - 1000) })
    const revoked = await createKey(db, { name: 'revoked' })
    expect((await ask({ [API_KEY_HEADER]: revoked.secret })).status).toBe(200)
    await revokeKey(db, revoked.id)
    // Within a second.
    while ((await ask({ [API_KEY_HEADER]: revoked.secret })).status === 200) {
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    const answers = []
    for (const key of ['hw_unknown', `hw_${'0'.repeat(43)}`, expired.secret, revoked.secret]) {
      const response = await ask({ [API_KEY_HEADER]: key })
      answers.push((await response.clone().json()) as Record<string, unknown>)
      expect(await refusal(response)).toEqual({ status: 401, code: 'API_KEY_INVALID' })
    }
    expect(new Set(answers.map(({ error }) => error)).size).toBe(1)

    const other = await createKey(db, { name: 'other', purpose: 'admin' })
    const forbidden = await ask({ [API_KEY_HEADER]: other.secret })
    expect(await refusal(forbidden)).toEqual({ status: 403, code: 'API_KEY_PURPOSE' })
  })

  it('judges path, method, key and parameters in this order', async () => {
    const { url, fetch: withKey } = await startSeven(await openTestStore())
    for (const unknown of ['/', '/v1/evm/balances', '/v1/evm/balances/', `${path}/`, '/v2']) {
      expect(await refusal(await fetch(url + unknown, { method: 'POST' }))).toEqual({
        status: 404,
        code: 'NOT_FOUND',
      })
    }
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      const response = await fetch(`${url}${path}?limit=0`, { method })
      expect(response.headers.get('allow')).toBe('GET, HEAD, OPTIONS')
      expect(await refusal(response)).toEqual({ status: 405, code: 'METHOD_NOT_ALLOWED' })
    }
    const both = await fetch(`${url}${path}?limit=0`)
    expect(await refusal(both)).toEqual({ status: 401, code: 'API_KEY_MISSING' })
    expect(await refusal(await withKey(`${path}?limit=0`))).toEqual(malformed('limit'))
  })

  it('answers what does not fit together with a sentence that says what would', async () => {
    const { fetch } = await startSeven(await openTestStore())
    const { error } = (await (await fetch(`${path}?limit=0`)).json()) as { error: string }
    expect(error).toMatch(/^limit must be at least 1\. Maximum number of entries/)
  })

  it('tells nothing of its inside when it fails, and logs it', async () => {
    const store = await openTestStore()
    const service = await startSeven(store)
    await store.db.schema.alterTable('balances').renameTo('elsewhere').execute()
    try {
      const response = await service.fetch(erc20)
      expect(await response.clone().text()).not.toMatch(/balances|relation|postgres|stack/i)
      expect(await refusal(response)).toEqual({ status: 500, code: 'INTERNAL_ERROR' })
      expect(service.log()).toContain('relation')
      expect(service.log()).toContain(String(response.headers.get('x-request-id')))
    } finally {
      await store.db.schema.alterTable('elsewhere').renameTo('balances').execute()
    }
  })

  it('keeps keys out of the log', async () => {
    const { fetch, log, secret } = await startSeven(await openTestStore())
    await fetch(`${erc20}&api_key=${secret}`)
    expect(log()).toContain(`"path":"${path}"`)
    expect(log()).not.toContain(secret)
  })
})
