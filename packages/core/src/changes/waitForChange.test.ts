import { environmentManager, focusManager, QueryClient } from '@tanstack/query-core'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { address, balance, balancesResponse } from '../../test/balances.ts'
import { advance, record } from '../../test/clientsInFakeTime.ts'
import { json, rejectWith } from '../../test/createFakeService.ts'
import { serviceInFakeTime } from '../../test/serviceInFakeTime.ts'
import { watchResponses } from '../../test/watchResponses.ts'
import { setBudget } from '../budget/setBudget.ts'
import {
  balancesQueryOptions,
  type BalancesResponse,
  type Client,
  createClient,
  getBalances,
  type TransactionClient,
  waitForChange,
  type WaitForChangeOptions,
} from '../index.ts'
import { hasChanged } from './hasChanged.ts'

const { service, create } = serviceInFakeTime()
let client: Client
const parameters = { address, chainIds: [1] }
const startWaiting = (options?: WaitForChangeOptions<BalancesResponse>) =>
  waitForChange(client, balancesQueryOptions(client, parameters), options)
/** Responds with this amount from this request on. */
const changesAt = (request: number) => (count: number) =>
  json(balancesResponse(balance({ amount: count < request ? '1' : '2', price_usd: count })))

beforeEach(() => {
  environmentManager.setIsServer(() => false)
  client = create()
})
afterEach(() => environmentManager.setIsServer(() => true))

describe('waitForChange', () => {
  it('refetches with growing delays until the amount changes, and updates the cache', async () => {
    service.respond = changesAt(5)
    const { emitted, subscription } = record(
      watchResponses(client, parameters, { refetchInterval: 3_600_000 }),
    )
    await advance(0)
    const expected = startWaiting()
    const waits: number[] = []
    let { length } = service.requests
    for (let tenths = 0; tenths < 600; tenths++) {
      await advance(100)
      if (service.requests.length > length) {
        waits.push(tenths + 1)
      }
      ;({ length } = service.requests)
    }
    // After 0, 500, 750 and 1125 ms.
    expect(waits).toEqual([1, 5, 13, 24])
    const { reason, data, previous, error } = await expected
    expect(reason).toBe('changed')
    expect(error).toBeNull()
    expect(previous?.balances[0]?.amount).toBe('1')
    expect(data?.balances[0]?.amount).toBe('2')
    expect(emitted.at(-1)?.data).toBe(data)
    expect(emitted.map((each) => each.data?.balances[0]?.price_usd)).toEqual([
      undefined,
      1,
      2,
      3,
      4,
      5,
    ])
    subscription.unsubscribe()
    await advance(1000)
    expect(client.getUsage().spent).toBe(5)
  })

  it('requests no more often for several waits than for the latest one', async () => {
    service.respond = changesAt(Infinity)
    const waits = [startWaiting()]
    await advance(400)
    waits.push(startWaiting())
    await advance(400)
    service.requests.length = 0
    waits.push(startWaiting())
    await advance(20_000)
    const { length } = service.requests
    service.respond = changesAt(0)
    await advance(10_000)
    for (const wait of waits) {
      await expect(wait).resolves.toMatchObject({ reason: 'changed' })
    }
    // After 0, 500, 750 ms, and so on.
    expect(length).toBeLessThanOrEqual(8)
  })

  it('rejects query options of another client', async () => {
    const other = createClient({ baseUrl: 'https://example.com' })
    await expect(
      waitForChange(client, balancesQueryOptions(other, parameters)),
    ).rejects.toMatchObject({ name: 'InvalidParameterError', parameter: 'queryOptions' })
  })

  it('joins a poll in flight without a request of its own', async () => {
    service.respond = changesAt(2)
    const subscription = watchResponses(client, parameters, { refetchInterval: 10_000 }).subscribe()
    await advance(9900)
    const { respond } = service
    service.respond = async (count) => {
      await new Promise((resolve) => setTimeout(resolve, 500))
      return respond(count)
    }
    await advance(200)
    expect(service.requests).toHaveLength(2)
    const expected = startWaiting({ maxUnits: 1 })
    await advance(1000)
    await expect(expected).resolves.toMatchObject({ reason: 'changed' })
    expect(service.requests).toHaveLength(2)
    subscription.unsubscribe()
  })

  it('respects Retry-After of a poll it joined', async () => {
    const subscription = watchResponses(client, parameters, { refetchInterval: 10_000 }).subscribe()
    await advance(9900)
    service.respond = async () => {
      await new Promise((resolve) => setTimeout(resolve, 500))
      return json({}, { status: 429, headers: { 'retry-after': '20' } })
    }
    await advance(200)
    const expected = startWaiting()
    await advance(15_000)
    expect(service.requests).toHaveLength(2)
    service.respond = changesAt(0)
    await advance(10_000)
    await expect(expected).resolves.toMatchObject({ reason: 'changed', error: null })
    subscription.unsubscribe()
  })

  it('resolves to unchanged after the timeout', async () => {
    service.respond = changesAt(Infinity)
    const expected = startWaiting({ timeout: 10_000, maxUnits: 1000 })
    await advance(10_000)
    await expect(expected).resolves.toMatchObject({
      reason: 'timeout',
      error: null,
      data: { balances: [{ amount: '1' }] },
      previous: { balances: [{ price_usd: 1 }] },
    })
    expect(vi.getTimerCount()).toBeLessThanOrEqual(1)
    const { length } = service.requests
    await advance(60_000)
    expect(service.requests).toHaveLength(length)
  })

  it('never exceeds maxUnits', async () => {
    service.respond = changesAt(Infinity)
    const expected = startWaiting({ maxUnits: 4 })
    await advance(60_000)
    await expect(expected).resolves.toMatchObject({ reason: 'maxUnits' })
    expect(client.getUsage().spent).toBe(4)
  })

  it('sends the first request whatever it costs', async () => {
    const expected = startWaiting({ maxUnits: 0 })
    await advance(60_000)
    await expect(expected).resolves.toMatchObject({ reason: 'maxUnits', data: {} })
    expect(service.requests).toHaveLength(1)
  })

  it('has no limit of units by default', async () => {
    service.respond = () =>
      json(balancesResponse(balance()), { headers: { 'x-compute-units-cost': '24' } })
    const query = balancesQueryOptions(client, { address })
    const expected = waitForChange(client, query)
    await advance(60_000)
    await expect(expected).resolves.toMatchObject({ reason: 'timeout' })
    expect(service.requests).toHaveLength(12)
  })

  it('compares with the cached response only if it is watched or recent', async () => {
    service.respond = changesAt(2)
    const query = balancesQueryOptions(client, parameters)
    await client.queryClient.fetchQuery(query)
    await advance(60_000)
    const outdated = startWaiting({ timeout: 5000 })
    await advance(5000)
    await expect(outdated).resolves.toMatchObject({
      reason: 'timeout',
      previous: { balances: [{ amount: '2' }] },
    })

    const { subscription } = record(watchResponses(client, parameters, { refetchInterval: false }))
    service.respond = changesAt(0)
    await advance(60_000)
    client.queryClient.setQueryData(query.queryKey, balancesResponse(balance({ amount: '1' })))
    await advance(60_000)
    const watched = startWaiting()
    await advance(100)
    await expect(watched).resolves.toMatchObject({ reason: 'changed' })
    subscription.unsubscribe()
  })

  it('uses the latest charge as estimate for a tag', async () => {
    service.respond = (count) =>
      json(balancesResponse(balance({ price_usd: count })), {
        headers: { 'x-compute-units-cost': '7' },
      })
    const query = balancesQueryOptions(client, { address, chainIds: ['mainnet'] })
    const expected = waitForChange(client, query, { maxUnits: 20 })
    await advance(60_000)
    await expect(expected).resolves.toMatchObject({ reason: 'maxUnits' })
    expect(service.requests).toHaveLength(2)
  })

  it('accepts a change by other requests, and one that precedes it', async () => {
    service.respond = changesAt(Infinity)
    const query = balancesQueryOptions(client, parameters)
    const expected = startWaiting()
    await advance(1000)
    client.queryClient.setQueryData(query.queryKey, balancesResponse(balance({ amount: '3' })))
    await expect(expected).resolves.toMatchObject({ reason: 'changed' })
    const { length } = service.requests
    const isExpected = ({ balances: [first] }: BalancesResponse) => first?.amount === '3'
    await expect(startWaiting({ isExpected })).resolves.toMatchObject({ reason: 'changed' })
    await advance(60_000)
    expect(service.requests).toHaveLength(length)
  })

  it('leaves the retries of other fetches of the query as they are', async () => {
    const watched = watchResponses(client, parameters, { refetchInterval: 3_600_000 })
    const { emitted } = record(watched)
    await advance(0)
    const waiting = startWaiting({ timeout: 1000 })
    await advance(1000)
    await waiting
    const { requests, respond } = service
    const { length } = requests
    service.respond = (count) => (count === length + 1 ? rejectWith(503)() : respond(count))
    void client.queryClient.invalidateQueries()
    await advance(5000)
    expect(requests).toHaveLength(length + 2)
    expect(emitted.map(({ status }) => status)).not.toContain('error')
  })

  it.each(['maxUnits', 'timeout'])('rejects NaN as %s', async (parameter) => {
    const error = { name: 'InvalidParameterError', parameter }
    await expect(startWaiting({ [parameter]: NaN })).rejects.toMatchObject(error)
    expect(service.requests).toHaveLength(0)
  })

  describe('with a transaction', () => {
    const hash = `0x${'1'.repeat(64)}` as const
    const receipt = { transactionHash: hash, blockHash: hash, blockNumber: 100n }
    const page = { address, chainIds: [1], limit: 10 }
    let block: number
    /** A node that has the transaction in block 100. */
    const node: TransactionClient = {
      chain: { id: 1 },
      getTransaction: () =>
        Promise.resolve({ hash, from: address, nonce: 1, to: null, value: 0n, input: '0x' }),
      getTransactionReceipt: () =>
        block < 100
          ? Promise.reject(Object.assign(new Error(), { name: 'TransactionReceiptNotFoundError' }))
          : Promise.resolve({ ...receipt, status: 'success' }),
      getTransactionCount: () => Promise.resolve(1),
      getBlock: () => Promise.reject(new Error()),
    }
    const respondWith = (amount: () => string, hasBlocks = true) => {
      service.respond = () =>
        json(balancesResponse(balance({ amount: amount() })), {
          headers: hasBlocks ? { 'x-block-numbers': `1=${block}` } : {},
        })
    }
    const startWaitingFor = (client_: TransactionClient) =>
      waitForChange(client, balancesQueryOptions(client, page), {
        transaction: { client: client_, hash },
      })
    const setBack = () => void vi.setSystemTime(Date.now() - 3_600_000)
    beforeEach(() => void (block = 99))

    it.each([
      [undefined, hash, 'must have a `client`'],
      // As that of a wallet, or the transport of a public client.
      [{}, hash, 'must have a `client`'],
      [node, '0x12', 'must have a `hash`'],
      [node, undefined, 'must have a `hash`'],
    ])('rejects one without a node or a hash: %o, %s', async (client_, of, rule) => {
      const transaction = { client: client_ as TransactionClient, hash: of as typeof hash }
      await expect(startWaiting({ transaction })).rejects.toMatchObject({
        name: 'InvalidParameterError',
        parameter: 'transaction',
        shortMessage: expect.stringContaining(rule) as string,
      })
      expect(vi.getTimerCount()).toBe(0)
    })

    it('does not take a response that was not cached for that of the transaction', async () => {
      respondWith(() => (block < 100 ? '1' : '2'))
      record(watchResponses(client, page, { refetchInterval: 60_000 }))
      await advance(100)
      const waiting = startWaitingFor(node)
      await advance(1000)
      block = 100
      await getBalances(client, page)
      await advance(10_000)
      expect(await waiting).toMatchObject({
        reason: 'changed',
        data: { balances: [{ amount: '2' }] },
      })
    })

    it('requests nothing but the initial response before it is mined', async () => {
      respondWith(() => (block < 100 ? '1' : '2'))
      const waiting = startWaitingFor(node)
      await advance(60_000)
      expect(service.requests).toHaveLength(1)
      block = 100
      await advance(5000)
      expect(await waiting).toMatchObject({ reason: 'changed' })
      expect(service.requests).toHaveLength(2)
    })

    it('reports how far it came at the timeout, with the error of the node', async () => {
      respondWith(() => '1')
      const fails = () => Promise.reject(new Error('Unreachable'))
      const waiting = startWaitingFor({ ...node, getTransactionReceipt: fails })
      await advance(180_000)
      expect(await waiting).toMatchObject({
        reason: 'timeout',
        error: { name: 'UnexpectedError' },
        transaction: { status: 'pending', hash },
      })
    })

    it('knows that it changes nothing also after the clock was set back', async () => {
      respondWith(() => '1')
      const waiting = startWaitingFor(node)
      await advance(1000)
      setBack()
      block = 100
      await advance(20_000)
      expect(await waiting).toMatchObject({ reason: 'unchanged' })
    })

    it.each([
      ['with a change', '2'],
      ['without one', '1'],
    ])(
      'notices a reorg before the service reaches the height of the block, %s',
      async (_, after) => {
        respondWith(() => (block < 100 ? '1' : after))
        let isReplaced = false
        const getTransactionReceipt: TransactionClient['getTransactionReceipt'] = () =>
          block === 99 && !isReplaced
            ? Promise.resolve({ ...receipt, status: 'success' })
            : Promise.reject(
                Object.assign(new Error(), { name: 'TransactionReceiptNotFoundError' }),
              )
        const getTransaction: TransactionClient['getTransaction'] = (parameters) =>
          isReplaced
            ? Promise.reject(Object.assign(new Error(), { name: 'TransactionNotFoundError' }))
            : node.getTransaction(parameters)
        const waiting = startWaitingFor({ ...node, getTransactionReceipt, getTransaction })
        await advance(100)
        // The service reaches the height of the block after the node replaced it, and before the next poll of the node.
        isReplaced = true
        block = 100
        await advance(40_000)
        expect(await waiting).toMatchObject({
          reason: 'reorged',
          transaction: { status: 'reorged', hash },
        })
        expect(service.requests.length).toBeLessThan(4)
      },
    )

    it('ends without another request once the node confirms that nothing changed', async () => {
      respondWith(() => '1')
      const waiting = waitForChange(client, balancesQueryOptions(client, page), {
        transaction: { client: node, hash },
        maxUnits: 2,
      })
      await advance(1000)
      block = 100
      await advance(4000)
      expect(await waiting).toMatchObject({ reason: 'unchanged' })
      expect(service.requests).toHaveLength(2)
    })

    it('accepts a change without blocks also after the clock was set back', async () => {
      let amount = '1'
      respondWith(() => amount, false)
      const waiting = startWaitingFor(node)
      await advance(1000)
      block = 100
      await advance(5000)
      setBack()
      amount = '2'
      await advance(20_000)
      expect(await waiting).toMatchObject({ reason: 'changed' })
    })

    it('reports one that is dropped also after the clock was set back', async () => {
      respondWith(() => '1')
      const unknown = () =>
        Promise.reject(Object.assign(new Error(), { name: 'TransactionNotFoundError' }))
      const waiting = startWaitingFor({ ...node, getTransaction: unknown })
      await advance(1000)
      setBack()
      await advance(40_000)
      expect(await waiting).toMatchObject({ reason: 'dropped' })
    })
  })

  it('calls hasChanged with data and previous data, and rejects with what it throws', async () => {
    const compared: [string | undefined, string | undefined][] = []
    const getAmount = ({ balances: [first] }: BalancesResponse) => first?.amount
    const expected = startWaiting({
      isExpected: (data, previous) => {
        compared.push([getAmount(data), getAmount(previous)])
        return getAmount(data) === '3'
      },
    })
    await advance(10_000)
    await expect(expected).resolves.toMatchObject({ reason: 'changed' })
    expect(compared).toEqual([
      ['1', '1'],
      ['2', '1'],
      ['3', '1'],
    ])
    const failure = new Error('of the caller')
    const failing = startWaiting({
      isExpected: () => {
        throw failure
      },
    })
    await expect(failing).rejects.toBe(failure)
  })

  it('continues after faults, respecting Retry-After', async () => {
    const responses: Response[] = [
      json(balancesResponse(balance())),
      json({}, { status: 500 }),
      json({}, { status: 429, headers: { 'retry-after': '20' } }),
    ]
    service.respond = (count) => responses[count - 1] ?? changesAt(0)(count)
    const expected = startWaiting({ maxUnits: 2 })
    await advance(19_000)
    expect(service.requests).toHaveLength(3)
    await advance(10_000)
    await expect(expected).resolves.toMatchObject({ reason: 'changed', error: null })
    expect(service.requests).toHaveLength(4)
    expect(client.getUsage().spent).toBe(2)
  })

  it('reports the error of the latest attempt', async () => {
    service.respond = () => json({ error: 'Broken' }, { status: 503 })
    const expected = startWaiting({ timeout: 5000 })
    await advance(5000)
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
  ])('rejects immediately on %s %i', async (name, status) => {
    service.respond = rejectWith(status)
    const expected = expect(startWaiting()).rejects.toMatchObject({ name, status })
    await advance(0)
    await expected
    expect(service.requests).toHaveLength(1)
    expect(vi.getTimerCount()).toBeLessThanOrEqual(1)
  })

  it('waits for the budget if that helps', async () => {
    service.respond = changesAt(4)
    setBudget(client, { perMinute: 2 })
    const expected = startWaiting({ timeout: 120_000 })
    await advance(59_000)
    expect(service.requests).toHaveLength(2)
    await advance(10_000)
    await expect(expected).resolves.toMatchObject({ reason: 'changed' })
    setBudget(client, { total: 4 })
    const failing = expect(startWaiting()).rejects.toMatchObject({ name: 'BudgetError' })
    await advance(0)
    await failing
  })

  it('rejects on abort and destroy, and leaves no listener or timer', async () => {
    client = create({
      queryClient: new QueryClient({ defaultOptions: { queries: { gcTime: 0 } } }),
    })
    const remove = vi.spyOn(AbortSignal.prototype, 'removeEventListener')
    const controller = new AbortController()
    const { signal } = controller
    const reason = new Error('left')
    const aborted = expect(startWaiting({ signal })).rejects.toBe(reason)
    await advance(100)
    controller.abort(reason)
    await aborted
    expect(remove).toHaveBeenCalled()
    await expect(startWaiting({ signal })).rejects.toBe(reason)

    const destroyed = expect(startWaiting()).rejects.toMatchObject({
      shortMessage: 'The client was destroyed.',
    })
    await advance(100)
    client.destroy()
    await destroyed
    await advance(10)
    expect(vi.getTimerCount()).toBe(0)
    expect(service.requests).toHaveLength(2)
    expect(client.queryClient.getQueryCache().hasListeners()).toBe(false)
    remove.mockRestore()
  })

  it('ignores a token that rebases, with the scope of another one or a minimum', async () => {
    const ether = 10n ** 18n
    const steth = { chainId: 31337, address: `0x${'A'.repeat(40)}` }
    let sent = 0n
    service.respond = (count) =>
      json(
        balancesResponse(
          balance({ amount: String(ether + sent) }),
          balance({ address: steth.address.toLowerCase(), amount: String(ether + BigInt(count)) }),
        ),
      )
    const native = { chainId: 31337, address: 'native' }
    for (const options of [
      { token: native },
      { minDelta: 1000n },
      { minDelta: '1000', token: native },
    ]) {
      const unchanged = startWaiting({ ...options, timeout: 5000 })
      await advance(5000)
      await expect(unchanged).resolves.toMatchObject({ reason: 'timeout' })
      const changed = startWaiting(options)
      await advance(400)
      sent -= 1000n
      await advance(5000)
      await expect(changed).resolves.toMatchObject({ reason: 'changed' })
    }
    const rebased = startWaiting({ token: steth })
    await advance(5000)
    await expect(rebased).resolves.toMatchObject({ reason: 'changed' })
    await expect(startWaiting({ minDelta: '1.5' })).rejects.toMatchObject({
      name: 'InvalidParameterError',
      parameter: 'minDelta',
    })
  })

  it('continues while the page is hidden, as the user is in the wallet', async () => {
    service.respond = changesAt(3)
    focusManager.setFocused(false)
    const expected = startWaiting()
    await advance(3000)
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
    ['warnings of a chain', { ...before, warnings: [{ code: 'STALE_CHAIN', chain_id: 1 }] }],
    ['texts', balancesResponse(balance({ symbol: 'NEW' }), other)],
    [
      'a chain that is missing',
      { ...balancesResponse(balance()), errors: { chain_errors: [{ chain_id: 2 }] } },
    ],
    [
      'a token that could not be read',
      {
        ...balancesResponse(balance()),
        errors: { token_errors: [{ chain_id: 2, address: other.address }] },
      },
    ],
  ])('ignores %s', (_, after) => {
    expect(hasChanged(after, before)).toBe(false)
    expect(hasChanged(before, after)).toBe(false)
    expect(hasChanged(after, before, { minDelta: 1n })).toBe(false)
    expect(hasChanged(after, before, { minDelta: 0n })).toBe(false)
  })
  it.each([
    ['an amount', balancesResponse(balance({ amount: '2' }), other)],
    ['a new token', balancesResponse(balance(), other, balance({ chain_id: 3 }))],
    ['a token that is gone', balancesResponse(balance())],
    [
      'an amount beside a token that could not be read',
      {
        ...balancesResponse(balance({ amount: '2' }), other),
        errors: { token_errors: [{ chain_id: 1, address: '0xab' }] },
      },
    ],
  ])('detects %s', (_, after) => {
    expect(hasChanged(after, before)).toBe(true)
  })
  it('detects a removed NFT, a new holder and a changed supply', () => {
    const nft = (token_id: string) => ({ contract_address: '0x1', token_id, chain_id: 1 })
    expect(hasChanged({ entries: [nft('1')] }, { entries: [nft('1'), nft('2')] })).toBe(true)
    const holders = [{ wallet_address: '0x1', balance: '5' }]
    expect(hasChanged({ holders }, { holders: [] })).toBe(true)
    const tokens = (total_supply: string) => ({ tokens: [{ chain_id: 1, total_supply }] })
    expect(hasChanged(tokens('1'), tokens('2'))).toBe(true)
  })
  it.each([
    ['a balance', balancesResponse(balance({ amount: '15' }), other), { minDelta: 5 }],
    ['a balance that is gone', balancesResponse(other), { minDelta: 10 }],
    [
      'a new token',
      balancesResponse(balance({ amount: '10' }), other, balance({ chain_id: 3, amount: '7' })),
      { minDelta: 7 },
    ],
  ])('compares %s with the minimum', (_, after, { minDelta }) => {
    const initial = balancesResponse(balance({ amount: '10' }), other)
    expect(hasChanged(after, initial, { minDelta: BigInt(minDelta) })).toBe(true)
    expect(hasChanged(after, initial, { minDelta: String(minDelta + 1) })).toBe(false)
  })
  it('compares the items of a token: NFTs, holders and token info too', () => {
    const nft = (contract_address: string, balance: string) => ({
      entries: [{ contract_address, token_id: '7', chain_id: 1, balance }],
    })
    const token = { chainId: 1, address: '0xAB' }
    expect(hasChanged(nft('0xab', '1'), nft('0xab', '3'), { token, minDelta: 2n })).toBe(true)
    expect(hasChanged(nft('0xcd', '1'), nft('0xcd', '3'), { token })).toBe(false)
    const info = (chain_id: number, total_supply: string) => ({
      contract_address: '0xab',
      tokens: [{ chain_id, total_supply }],
    })
    expect(hasChanged(info(1, '1'), info(1, '2'), { token })).toBe(true)
    expect(hasChanged(info(2, '1'), info(2, '2'), { token })).toBe(false)
    const holders = (balance: string) => ({ holders: [{ wallet_address: '0x1', balance }] })
    expect(hasChanged(holders('5'), holders('9'), { token, minDelta: '4' })).toBe(true)
    expect(hasChanged(holders('5'), holders('9'), { token, minDelta: '5' })).toBe(false)
  })
})
