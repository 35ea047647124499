import { environmentManager, focusManager, QueryClient } from '@tanstack/query-core'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { address, balance, balancesResponse } from '../../test/balances.ts'
import { pass, record } from '../../test/clientsInFakeTime.ts'
import { json, refusing } from '../../test/createFakeService.ts'
import { serviceInFakeTime } from '../../test/serviceInFakeTime.ts'
import { watchResponses } from '../../test/watchResponses.ts'
import {
  balancesQueryOptions,
  type BalancesResponse,
  type Client,
  createClient,
  waitForChange,
  type WaitForChangeOptions,
} from '../index.ts'
import { hasChanged } from './waitForChange.ts'

const { service, create } = serviceInFakeTime()
let client: Client
const parameters = { address, chainIds: [1] }
const expectIt = (options?: WaitForChangeOptions<BalancesResponse>) =>
  waitForChange(client, balancesQueryOptions(client, parameters), options)
/** Answers of so much, from that request on. */
const changesAt = (request: number) => (count: number) =>
  json(balancesResponse(balance({ amount: count < request ? '1' : '2', price_usd: count })))

beforeEach(() => {
  environmentManager.setIsServer(() => false)
  client = create()
})
afterEach(() => environmentManager.setIsServer(() => true))

describe('waitForChange', () => {
  it('asks ever more slowly until the amount changes, and shows everybody what it learns', async () => {
    service.answer = changesAt(5)
    const { seen, subscription } = record(
      watchResponses(client, parameters, { refetchInterval: 3_600_000 }),
    )
    await pass(0)
    const expected = expectIt()
    const waits: number[] = []
    let { length } = service.asked
    for (let tenths = 0; tenths < 600; tenths++) {
      await pass(100)
      if (service.asked.length > length) {
        waits.push(tenths + 1)
      }
      ;({ length } = service.asked)
    }
    // After 0, 500, 750 and 1125 ms.
    expect(waits).toEqual([1, 5, 13, 24])
    const { reason, data, previous, error } = await expected
    expect(reason).toBe('changed')
    expect(error).toBeNull()
    expect(previous?.balances[0]?.amount).toBe('1')
    expect(data?.balances[0]?.amount).toBe('2')
    expect(seen.at(-1)?.data).toBe(data)
    expect(seen.map((each) => each.data?.balances[0]?.price_usd)).toEqual([
      undefined,
      1,
      2,
      3,
      4,
      5,
    ])
    subscription.unsubscribe()
    await pass(1000)
    expect(client.getUsage().spent).toBe(5)
  })

  it('refuses a question of another service', async () => {
    const other = createClient({ baseUrl: 'https://example.com' })
    await expect(
      waitForChange(client, balancesQueryOptions(other, parameters)),
    ).rejects.toMatchObject({ name: 'InvalidParameterError', parameter: 'queryOptions' })
  })

  it('joins a poll that is under way, at no cost of its own', async () => {
    service.answer = changesAt(2)
    const subscription = watchResponses(client, parameters, { refetchInterval: 10_000 }).subscribe()
    await pass(9900)
    const { answer } = service
    service.answer = async (count) => {
      await new Promise((resolve) => setTimeout(resolve, 500))
      return answer(count)
    }
    await pass(200)
    expect(service.asked).toHaveLength(2)
    const expected = expectIt({ maxUnits: 1 })
    await pass(1000)
    await expect(expected).resolves.toMatchObject({ reason: 'changed' })
    expect(service.asked).toHaveLength(2)
    subscription.unsubscribe()
  })

  it('asks as late as the service wants where a poll that it joined was refused', async () => {
    const subscription = watchResponses(client, parameters, { refetchInterval: 10_000 }).subscribe()
    await pass(9900)
    service.answer = async () => {
      await new Promise((resolve) => setTimeout(resolve, 500))
      return json({}, { status: 429, headers: { 'retry-after': '20' } })
    }
    await pass(200)
    const expected = expectIt()
    await pass(15_000)
    expect(service.asked).toHaveLength(2)
    service.answer = changesAt(0)
    await pass(10_000)
    await expect(expected).resolves.toMatchObject({ reason: 'changed', error: null })
    subscription.unsubscribe()
  })

  it('says that nothing changed when the time is up', async () => {
    service.answer = changesAt(Infinity)
    const expected = expectIt({ timeout: 10_000, maxUnits: 1000 })
    await pass(10_000)
    await expect(expected).resolves.toMatchObject({
      reason: 'timeout',
      error: null,
      data: { balances: [{ amount: '1' }] },
      previous: { balances: [{ price_usd: 1 }] },
    })
    expect(vi.getTimerCount()).toBeLessThanOrEqual(1)
    const { length } = service.asked
    await pass(60_000)
    expect(service.asked).toHaveLength(length)
  })

  it('never spends more than it may', async () => {
    service.answer = changesAt(Infinity)
    const expected = expectIt({ maxUnits: 4 })
    await pass(60_000)
    await expect(expected).resolves.toMatchObject({ reason: 'maxUnits' })
    expect(client.getUsage().spent).toBe(4)
    await expect(expectIt({ maxUnits: 0 })).resolves.toMatchObject({
      reason: 'maxUnits',
      data: { balances: [{ amount: '1' }] },
    })
    expect(service.asked).toHaveLength(4)
  })

  it('learns what a tag costs', async () => {
    service.answer = (count) =>
      json(balancesResponse(balance({ price_usd: count })), {
        headers: { 'x-compute-units-cost': '7' },
      })
    const query = balancesQueryOptions(client, { address, chainIds: ['mainnet'] })
    const expected = waitForChange(client, query, { maxUnits: 20 })
    await pass(60_000)
    await expect(expected).resolves.toMatchObject({ reason: 'maxUnits' })
    expect(service.asked).toHaveLength(2)
  })

  it('is content with a change that others bring, and with one that is there already', async () => {
    service.answer = changesAt(Infinity)
    const query = balancesQueryOptions(client, parameters)
    const expected = expectIt()
    await pass(1000)
    client.queryClient.setQueryData(query.queryKey, balancesResponse(balance({ amount: '3' })))
    await expect(expected).resolves.toMatchObject({ reason: 'changed' })
    const { length } = service.asked
    const isExpected = ({ balances: [first] }: BalancesResponse) => first?.amount === '3'
    await expect(expectIt({ isExpected })).resolves.toMatchObject({ reason: 'changed' })
    await pass(60_000)
    expect(service.asked).toHaveLength(length)
  })

  it('asks the caller what is expected, and hands on what it throws', async () => {
    const asked: [string | undefined, string | undefined][] = []
    const getAmount = ({ balances: [first] }: BalancesResponse) => first?.amount
    const expected = expectIt({
      isExpected: (data, previous) => {
        asked.push([getAmount(data), getAmount(previous)])
        return getAmount(data) === '3'
      },
    })
    await pass(10_000)
    await expect(expected).resolves.toMatchObject({ reason: 'changed' })
    expect(asked).toEqual([
      ['1', '1'],
      ['2', '1'],
      ['3', '1'],
    ])
    const failure = new Error('of the caller')
    const failing = expectIt({
      isExpected: () => {
        throw failure
      },
    })
    await expect(failing).rejects.toBe(failure)
  })

  it('goes on through faults, as late as the service asks, at no cost', async () => {
    const answers: Response[] = [
      json(balancesResponse(balance())),
      json({}, { status: 500 }),
      json({}, { status: 429, headers: { 'retry-after': '20' } }),
    ]
    service.answer = (count) => answers[count - 1] ?? changesAt(0)(count)
    const expected = expectIt({ maxUnits: 2 })
    await pass(19_000)
    expect(service.asked).toHaveLength(3)
    await pass(10_000)
    await expect(expected).resolves.toMatchObject({ reason: 'changed', error: null })
    expect(service.asked).toHaveLength(4)
    expect(client.getUsage().spent).toBe(2)
  })

  it('tells why the newest attempt failed', async () => {
    service.answer = () => json({ error: 'Broken' }, { status: 503 })
    const expected = expectIt({ timeout: 5000 })
    await pass(5000)
    await expect(expected).resolves.toMatchObject({
      reason: 'timeout',
      data: undefined,
      previous: undefined,
      error: { status: 503 },
    })
  })

  it.each([
    ['HttpError', 401],
    ['HttpError', 402],
    ['HttpError', 404],
  ])('gives up at once with %s %i', async (name, status) => {
    service.answer = refusing(status)
    const expected = expect(expectIt()).rejects.toMatchObject({ name, status })
    await pass(0)
    await expected
    expect(service.asked).toHaveLength(1)
    expect(vi.getTimerCount()).toBeLessThanOrEqual(1)
  })

  it('waits for a budget while that helps', async () => {
    service.answer = changesAt(4)
    client.setBudget({ perMinute: 2 })
    const expected = expectIt({ timeout: 120_000 })
    await pass(59_000)
    expect(service.asked).toHaveLength(2)
    await pass(10_000)
    await expect(expected).resolves.toMatchObject({ reason: 'changed' })
    client.setBudget({ total: 4 })
    const failing = expect(expectIt()).rejects.toMatchObject({ name: 'BudgetError' })
    await pass(0)
    await failing
  })

  it('ends with the signal and with the client, and leaves nothing behind', async () => {
    client = create({
      queryClient: new QueryClient({ defaultOptions: { queries: { gcTime: 0 } } }),
    })
    const remove = vi.spyOn(AbortSignal.prototype, 'removeEventListener')
    const controller = new AbortController()
    const { signal } = controller
    const reason = new Error('left')
    const aborted = expect(expectIt({ signal })).rejects.toBe(reason)
    await pass(100)
    controller.abort(reason)
    await aborted
    expect(remove).toHaveBeenCalled()
    await expect(expectIt({ signal })).rejects.toBe(reason)

    const destroyed = expect(expectIt()).rejects.toMatchObject({
      shortMessage: 'The client was destroyed.',
    })
    await pass(100)
    client.destroy()
    await destroyed
    await pass(10)
    expect(vi.getTimerCount()).toBe(0)
    expect(service.asked).toHaveLength(2)
    expect(client.queryClient.getQueryCache().hasListeners()).toBe(false)
    remove.mockRestore()
  })

  it('goes on while the page is hidden, as the user is in the wallet', async () => {
    service.answer = changesAt(3)
    focusManager.setFocused(false)
    const expected = expectIt()
    await pass(3000)
    await expect(expected).resolves.toMatchObject({ reason: 'changed' })
  })
})

describe('hasChanged', () => {
  const other = balance({ chain_id: 2, amount: '5', price_usd: 2, value_usd: 10 })
  const before = balancesResponse(balance({ price_usd: 1 }), other)
  it.each([
    ['prices', balancesResponse(balance({ price_usd: 2 }), other)],
    ['the order', balancesResponse(other, balance({ price_usd: 1 }))],
    ['times', { ...before, response_time: '2024-05-01T12:00:00Z' }],
    ['warnings', { ...before, warnings: [{ code: 'A', message: 'B', chain_ids: [1] }] }],
    ['texts', balancesResponse(balance({ symbol: 'NEW' }), other)],
  ])('takes no notice of %s', (_, after) => {
    expect(hasChanged(after, before)).toBe(false)
  })
  it.each([
    ['an amount', balancesResponse(balance({ amount: '2' }), other)],
    ['a new token', balancesResponse(balance(), other, balance({ chain_id: 3 }))],
    ['a token that is gone', balancesResponse(balance())],
  ])('sees %s', (_, after) => {
    expect(hasChanged(after, before)).toBe(true)
  })
  it('sees an NFT that went, a holder that came, a supply that grew', () => {
    const nft = (token_id: string) => ({ contract_address: '0x1', token_id, chain_id: 1 })
    expect(hasChanged({ entries: [nft('1')] }, { entries: [nft('1'), nft('2')] })).toBe(true)
    const holders = [{ wallet_address: '0x1', balance: '5' }]
    expect(hasChanged({ holders }, { holders: [] })).toBe(true)
    const tokens = (total_supply: string) => ({ tokens: [{ chain_id: 1, total_supply }] })
    expect(hasChanged(tokens('1'), tokens('2'))).toBe(true)
  })
})
