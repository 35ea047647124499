import { expect, it } from 'vitest'
import { balancePath as path, oneBalanceChain, wallet } from '../../../test/oneBalanceChain.ts'
import { openMemoryStore } from '../../../test/openMemoryStore.ts'
import { seedChain } from '../../../test/seedChain.ts'
import { startTestService, type TestService } from '../../../test/startTestService.ts'
import { testChainConfig } from '../../../test/testChainConfig.ts'
import type { NewKey } from '../../keys/createKey.ts'

async function start(key: Partial<NewKey> = {}): Promise<TestService> {
  const store = await openMemoryStore()
  await seedChain(store.db, oneBalanceChain)
  return await startTestService(store, [testChainConfig(7)], new Set(), key)
}

/** What differs from one request to the next, whichever way it goes. */
const passing = ['x-request-id', 'date', 'x-ratelimit-remaining', 'x-compute-units-remaining']

async function read(response: Response) {
  const text = await response.text()
  const body = text === '' ? {} : (JSON.parse(text) as Record<string, unknown>)
  const { request_time, response_time, ...held } = body
  return {
    status: response.status,
    names: [...response.headers.keys()].sort(),
    headers: [...response.headers].filter(([name]) => !passing.includes(name)).sort(),
    times: [typeof request_time, typeof response_time],
    held,
  }
}

it('answers from memory as it answered from the store, header by header', async () => {
  const { fetch } = await start({ unitsQuota: 100 })
  const [first, again] = [await fetch(path), await fetch(path)]
  expect(Number(again.headers.get('x-compute-units-remaining'))).toBe(98)
  expect(again.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'))
  const [made, kept] = [await read(first), await read(again)]
  expect(kept).toEqual(made)
  expect(kept.held).toMatchObject({ balances: [{ amount: '5' }] })
})

it('answers 304 from memory as from the store', async () => {
  const { fetch } = await start()
  const headers = { 'If-None-Match': '*' }
  const [made, kept] = [await fetch(path, { headers }), await fetch(path, { headers })]
  expect([made.status, await read(kept)]).toEqual([304, await read(made)])
})

it('logs and counts an answer from memory as one from the store', async () => {
  const service = await start()
  for (const id of ['made-1', 'kept-1']) {
    await service.fetch(path, { headers: { 'X-Request-Id': id } })
  }
  const lines = service
    .log()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ msg }) => msg === 'request')
    .map(({ time, milliseconds, ...line }) => [line, typeof time, typeof milliseconds])
  const line = (requestId: string) => [
    expect.objectContaining({
      ...{ requestId, method: 'GET', path: `/v1/evm/balances/${wallet}`, status: 200 },
      ...{ units: 1, keyId: service.keyId },
    }) as unknown,
    'number',
    'number',
  ]
  expect(lines).toEqual([line('made-1'), line('kept-1')])
  const figures = await (await service.fetch('/metrics')).text()
  expect(figures).toContain('headwater_request_seconds_count{operation="balances",status="200"} 2')
  expect(figures).toContain('headwater_compute_units_total{operation="balances"} 2')
})

it('refuses what is kept to who has no units left or asks too fast, and charges nothing for it', async () => {
  const poor = await start({ unitsQuota: 2 })
  const statuses = async ({ fetch }: TestService) => {
    const responses = [await fetch(path), await fetch(path), await fetch(path), await fetch(path)]
    return responses.map(({ status, headers }) => [
      status,
      headers.get('x-compute-units-cost'),
      headers.get('x-ratelimit-remaining'),
      headers.get('x-compute-units-remaining'),
    ])
  }
  expect((await statuses(poor)).map(([status, cost, , left]) => [status, cost, left])).toEqual([
    [200, '1', '1'],
    [200, '1', '0'],
    [402, '0', '0'],
    [402, '0', '0'],
  ])
  const slow = await start({ rate: { requests: 3, seconds: 3600 } })
  expect(await statuses(slow)).toEqual([
    [200, '1', '2', null],
    [200, '1', '1', null],
    [200, '1', '0', null],
    [429, '0', '0', null],
  ])
})

it('takes each refused request out of the rate once', async () => {
  const { fetch } = await start({ unitsQuota: 1, rate: { requests: 5, seconds: 3600 } })
  const left: (string | null)[] = []
  for (let count = 0; count < 3; count++) {
    left.push((await fetch(path)).headers.get('x-ratelimit-remaining'))
  }
  expect(left).toEqual(['4', '3', '2'])
})
