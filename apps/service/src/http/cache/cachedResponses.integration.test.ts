import { expect, it } from 'vitest'
import { describeEachStore } from '../../../test/describeEachStore.ts'
import { balancePath as path, oneBalanceChain, wallet } from '../../../test/oneBalanceChain.ts'
import { seedChain } from '../../../test/seedChain.ts'
import { startTestService } from '../../../test/startTestService.ts'
import { testChainConfig, testTokens } from '../../../test/testChainConfig.ts'
import type { NewKey } from '../../keys/createKey.ts'

/** Headers that differ between two responses to the same request. */
const varyingHeaders = [
  'date',
  'x-compute-units-remaining',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'x-request-id',
]

async function read(response: Response) {
  const text = await response.text()
  const body = text === '' ? {} : (JSON.parse(text) as Record<string, unknown>)
  const { request_time, response_time, ...content } = body
  return {
    status: response.status,
    names: [...response.headers.keys()].sort(),
    headers: [...response.headers].filter(([name]) => !varyingHeaders.includes(name)).sort(),
    times: [typeof request_time, typeof response_time],
    content,
  }
}

describeEachStore('a cached response', (openTestStore) => {
  const start = async (key: Partial<NewKey> = {}) => {
    const store = await openTestStore()
    await seedChain(store.db, oneBalanceChain)
    const service = await startTestService(store, [testChainConfig(7)], { key })
    const send = (id: string, headers: Record<string, string> = {}) =>
      service.fetch(path, { headers: { ...headers, 'X-Request-Id': id } })
    return { service, send }
  }

  it('equals the computed response, also when it is not modified', async () => {
    const { send } = await start({ rate: { requests: 5, seconds: 3600 } })
    const computed = await read(await send('1'))
    expect(computed).toMatchObject({ status: 200, content: { balances: [{ amount: '5' }] } })
    expect(await read(await send('2'))).toEqual(computed)
    const notModified = await read(await send('3', { 'If-None-Match': '*' }))
    const cachedNotModified = await read(await send('4', { 'If-None-Match': '*' }))
    expect(notModified.status).toBe(304)
    expect(cachedNotModified).toEqual(notModified)
  })

  it('counts toward the quota and the rate limit', async () => {
    const { send } = await start({ unitsQuota: 2, rate: { requests: 3, seconds: 3600 } })
    await send('1')
    const { headers } = await send('2')
    expect(headers.get('x-compute-units-remaining')).toBe('0')
    expect(headers.get('x-ratelimit-remaining')).toBe('1')
    const exhausted = await send('3')
    expect([exhausted.status, exhausted.headers.get('x-ratelimit-remaining')]).toEqual([402, '0'])
    expect((await send('4')).status).toBe(429)
  })

  it('is logged and measured', async () => {
    const { service, send } = await start({ unitsQuota: 4, rate: { requests: 5, seconds: 3600 } })
    await send('1')
    await send('2')
    await send('3', { 'If-None-Match': '*' })
    await send('4', { 'If-None-Match': '*' })
    await send('5')
    await send('6')

    const lines = service
      .log()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .filter(({ msg }) => msg === 'request')
    const common = { method: 'GET', path: `/v1/evm/balances/${wallet}`, keyId: service.keyId }
    const line = (requestId: string, status: number, units: number) =>
      expect.objectContaining({ ...common, requestId, status, units }) as unknown
    expect(lines).toEqual([
      line('1', 200, 1),
      line('2', 200, 1),
      line('3', 304, 1),
      line('4', 304, 1),
      line('5', 402, 0),
      line('6', 429, 0),
    ])
    const metrics = await (await service.fetch('/metrics')).text()
    expect(metrics).toContain(
      'headwater_request_seconds_count{operation="balances",status="200"} 2',
    )
    expect(metrics).toContain('headwater_compute_units_total{operation="balances"} 4')
  })

  it('is served without reading the store until the head changes', async () => {
    const store = await openTestStore()
    await seedChain(store.db, oneBalanceChain)
    const { fetch } = await startTestService(store, [testChainConfig(7)])
    const readTimed = async () => {
      const response = await fetch(path)
      const body = (await response.json()) as { request_time: string; response_time: string }
      const { request_time, response_time, ...content } = body
      return { status: response.status, content, request_time, response_time }
    }
    const first = await readTimed()
    expect(first).toMatchObject({ status: 200, content: { balances: [{ amount: '5' }] } })
    await store.db.schema.alterTable('balances').renameTo('elsewhere').execute()
    try {
      const second = await readTimed()
      expect(second.content).toEqual(first.content)
      expect(second.request_time >= first.response_time).toBe(true)
      expect(second.response_time >= second.request_time).toBe(true)
      await store.db
        .updateTable('chains')
        .set({ indexed_hash: new Uint8Array(32) })
        .execute()
      expect((await readTimed()).status).toBe(500)
    } finally {
      await store.db.schema.alterTable('elsewhere').renameTo('balances').execute()
    }
    await seedChain(store.db, {
      ...oneBalanceChain,
      blocks: { 6: 1_700_000_006 },
      balances: [{ holder: wallet, token: testTokens.usd, amount: 6n }],
    })
    expect(await readTimed()).toMatchObject({
      status: 200,
      content: { balances: [{ amount: '6' }] },
    })
  })
})
