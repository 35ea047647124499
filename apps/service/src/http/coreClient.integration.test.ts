// The client of `@headwater/core` with this service: every operation, every error, and a proxy that fails in between.
import { firstValueFrom } from 'rxjs'
import { filter } from 'rxjs/operators'
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest'
import { type OperationName, operations } from '@headwater/contract'
import { createParameters } from '@headwater/contract/schemas'
import * as core from '@headwater/core'
import {
  balancesQueryOptions,
  type Client,
  type ClientOptions,
  createClient,
  getBalances,
  getCollectibles,
  getTokenBalance,
  getTokenHolders,
  getTokenInfo,
  paginateTokenHolders,
  type Snapshot,
  type SnapshotStream,
  tokenHoldersQueryOptions,
  watchTokenBalance,
  watchTokenHolders,
  watchTokenInfo,
} from '@headwater/core'
import { openMemoryStore } from '../../test/openMemoryStore.ts'
import { seedChain, testAddress, testBlockHash } from '../../test/seedChain.ts'
import { startBalanceNode, totalSupplyIs } from '../../test/startBalanceNode.ts'
import { proxyFaults, startFaultyProxy } from '../../test/startFaultyProxy.ts'
import { startTestService } from '../../test/startTestService.ts'
import { chainSeven, held, notErc20, wallet } from '../../test/startWalletService.ts'
import { testChainConfig } from '../../test/testChainConfig.ts'
import type { NewKey } from '../keys/createKey.ts'
import { updateKey } from '../keys/updateKey.ts'
import type { Store } from '../store/Store.ts'

let store: Store
beforeAll(async () => {
  store = await openMemoryStore()
  await seedChain(store.db, {
    ...chainSeven,
    collectibles: [3n, 2n, 1n].map((tokenId) => ({
      contract: notErc20.erc721,
      tokenId,
      holder: wallet,
      lastIn: Number(tokenId),
    })),
  })
})
afterAll(() => store.close())

const token = { address: held.deep, chainIds: [7] } as const
const holding = { address: wallet, tokenAddress: held.deep, chainIds: [7] } as const

/** The service with a key, a proxy before it, and a client of that proxy. */
async function start(key: Partial<NewKey> = {}, testStore: Store = store) {
  const node = await startBalanceNode({
    [testBlockHash(7, 3)]: {
      [wallet]: 10n ** 18n,
      [held.deep]: totalSupplyIs(30_000n * 10n ** 8n),
    },
  })
  const chains = [testChainConfig(7, { rpcUrls: [node.url], tags: ['default'] })]
  const service = await startTestService(testStore, chains, { key })
  const proxy = await startFaultyProxy(service.url)
  const create = (options: Partial<ClientOptions> = {}): Client => {
    const client = createClient({
      baseUrl: proxy.url,
      apiKey: service.secret,
      ssr: false,
      ...options,
    })
    onTestFinished(() => client.destroy())
    return client
  }
  return { service, proxy, create, client: create() }
}

const settled = <T>(stream: SnapshotStream<T>): Promise<Snapshot<T>> =>
  firstValueFrom(stream.pipe(filter(({ status }) => status !== 'pending')))
const sleep = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

it('returns the rows of the store', async () => {
  const { client } = await start()
  const info = await getTokenInfo(client, { ...token, historicalPrices: [1] })
  expect(info.tokens).toMatchObject([{ symbol: 'DEEP', decimals: 8, chain_id: 7 }])
  const holders = await getTokenHolders(client, { chainId: 7, address: held.deep })
  expect(holders.holders.map(({ wallet_address }) => wallet_address)).toEqual([
    testAddress(0xbb),
    wallet,
  ])
  const balances = await getBalances(client, { address: wallet, metadata: ['logo', 'url'] })
  expect(balances.balances.find(({ address }) => address === held.unpriced)?.amount).toBe(
    String(2n ** 256n - 1n),
  )
  const one = await getTokenBalance(client, holding)
  expect(one.balances).toMatchObject([{ amount: '1', symbol: 'DEEP' }])
  const collectibles = await getCollectibles(client, { address: wallet })
  expect(collectibles.entries.map(({ token_id }) => token_id)).toEqual(['3', '2', '1'])
})

it.each(Object.keys(operations) as OperationName[])(
  'returns a response of %s that the client accepts without a warning',
  async (name) => {
    const { client } = await start()
    const get = (core as unknown as Record<string, (...of: unknown[]) => Promise<object>>)[
      `get${name[0]!.toUpperCase()}${name.slice(1)}`
    ]!
    const subject = { wallet, token: held.deep, chainId: 7 }
    const response = await get(client, createParameters(name, subject))
    expect(response).toHaveProperty(operations[name].itemsField)
    expect(response).not.toHaveProperty('warnings')
    expect(response).not.toHaveProperty('errors')
  },
)

it.each([
  ['seconds', 'none'],
  ['an HTTP date', 'dates'],
] as const)('retries after the rate limit of its key (Retry-After as %s)', async (_, fault) => {
  const { client, proxy } = await start({ rate: { requests: 1, seconds: 2 } })
  // The clock of the rate limit and of the client: it stands still while requests are sent.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] })
  onTestFinished(() => void vi.useRealTimers())
  proxy.fault = proxyFaults[fault]
  await getTokenBalance(client, holding)
  await expect(getTokenBalance(client, holding)).rejects.toMatchObject({
    name: 'HttpError',
    status: 429,
    code: 'RATE_EXCEEDED',
    isRetryable: true,
    retryAfter: expect.toSatisfy((wait: number) => wait > 0 && wait <= 3000),
  })
  const before = proxy.requests
  const options = balancesQueryOptions(client, { address: wallet })
  const fetching = client.queryClient.fetchQuery(options)
  const readState = () => client.queryClient.getQueryState(options.queryKey)
  await expect.poll(() => readState()?.fetchFailureCount).toBe(1)
  await vi.advanceTimersByTimeAsync(3000)
  expect(await fetching).toMatchObject({ wallet_address: wallet })
  // One rejection, one response: the delay was long enough.
  expect(proxy.requests).toBe(before + 2)
})

it('stops polling when its quota is exhausted, and counts units like the service', async () => {
  const { client, proxy } = await start({ unitsQuota: 3 })
  await getTokenInfo(client, token)
  await expect(getTokenHolders(client, { chainId: 7, address: held.deep })).rejects.toMatchObject({
    status: 402,
    code: 'UNITS_EXHAUSTED',
    isRetryable: false,
  })
  const stream = watchTokenInfo(client, token, { refetchInterval: 20 })
  expect(await settled(stream)).toMatchObject({ status: 'error', error: { status: 402 } })
  const subscription = stream.subscribe()
  const before = proxy.requests
  await sleep(300)
  expect(proxy.requests).toBe(before)
  subscription.unsubscribe()
  // The remaining unit pays for a cheaper operation.
  await getTokenBalance(client, holding)
  expect(client.getUsage()).toMatchObject({ spent: 3, remaining: 0 })
})

it('reports invalid keys, chains and parameters', async () => {
  const { create, client, service } = await start()
  const unknown = create({ apiKey: 'hw_unknown' })
  await expect(getTokenInfo(unknown, token)).rejects.toMatchObject({
    status: 401,
    advice: expect.stringContaining('apiKey'),
  })
  const keyless = createClient({ baseUrl: service.url })
  await expect(getTokenInfo(keyless, token)).rejects.toMatchObject({ status: 401 })
  const wrongHeader = create({ apiKeyHeader: 'X-Other' })
  await expect(getTokenInfo(wrongHeader, token)).rejects.toMatchObject({ status: 401 })
  const other = await start({ purpose: 'other' })
  await expect(getTokenInfo(other.client, token)).rejects.toMatchObject({ status: 403 })
  await expect(getTokenInfo(client, { ...token, chainIds: [99] })).rejects.toMatchObject({
    status: 404,
    code: 'CHAIN_NOT_SUPPORTED',
    requestId: expect.any(String),
  })
  await expect(
    getBalances(client, { address: wallet, chainIds: ['atlantis'] }),
  ).rejects.toMatchObject({ status: 400, parameter: 'chainIds', isRetryable: false })
  expect(await getBalances(client, { address: wallet, chainIds: [7, 99] })).toMatchObject({
    warnings: [{ code: 'UNSUPPORTED_CHAIN_IDS', chain_ids: [99] }],
  })
})

it('reports a stopped chain, and when to retry', async () => {
  const { client, service } = await start()
  service.watch.markStopped(7)
  await expect(getTokenBalance(client, holding)).rejects.toMatchObject({
    status: 503,
    isRetryable: true,
    retryAfter: expect.toSatisfy((wait: number) => wait > 0),
  })
  service.watch.markRunning(7)
  expect(await getTokenBalance(client, holding)).toMatchObject({ balances: [{ amount: '1' }] })
})

it('treats an invalid cursor as the first page', async () => {
  const { client } = await start()
  const parameters = { chainId: 7, address: held.deep, limit: 1 }
  const first = await getTokenHolders(client, parameters)
  const second = await getTokenHolders(client, { ...parameters, offset: first.next_offset! })
  expect(second.holders).not.toEqual(first.holders)
  const invalid = tokenHoldersQueryOptions(client, { ...parameters, offset: 'not-a-cursor' })
  expect((await client.queryClient.fetchQuery(invalid)).holders).toEqual(first.holders)
})

it('loads all pages despite a dropped connection and an exhausted quota', async () => {
  const many = testAddress(0x5000)
  const holders = Array.from({ length: 1100 }, (_, index) => ({
    holder: testAddress(0x10_0000 + index),
    token: many,
    amount: BigInt(1 + index),
  }))
  const seeded = await openMemoryStore()
  onTestFinished(() => seeded.close())
  await seedChain(seeded.db, {
    ...chainSeven,
    tokens: [{ address: many, symbol: 'MANY' }],
    balances: holders,
    pools: [],
  })
  // Enough for the first page and two more, one of which is cut and therefore charged twice.
  const { client, proxy, service } = await start({ unitsQuota: 6 }, seeded)
  const stream = watchTokenHolders(
    client,
    { chainId: 7, address: many },
    { refetchInterval: false, pageSize: 100 },
  )
  const subscription = stream.subscribe()
  expect((await settled(stream)).data).toHaveLength(100)
  proxy.fault = (body, response) => {
    proxy.fault = proxyFaults.none
    proxyFaults.cut(body, response)
  }
  await stream.getSnapshot().fetchAll()
  expect(stream.getSnapshot()).toMatchObject({
    status: 'error',
    error: { status: 402 },
    hasNextPage: true,
    data: { length: 1000 },
  })
  await updateKey(seeded.db, service.keyId, { unitsQuota: 14 })
  // The service applies the change within a second.
  const fetchRest = async () => {
    await stream.getSnapshot().fetchAll()
    return stream.getSnapshot().status
  }
  await expect.poll(fetchRest).toBe('success')
  const { data, hasNextPage, warnings } = stream.getSnapshot()
  expect({ hasNextPage, warnings }).toEqual({ hasNextPage: false, warnings: [] })
  expect(data?.map(({ balance }) => Number(balance))).toEqual(
    Array.from({ length: 1100 }, (_, index) => 1100 - index),
  )
  subscription.unsubscribe()
  // The remaining units pay for reading it again without the cache.
  const listed: string[] = []
  for await (const { wallet_address } of paginateTokenHolders(client, {
    chainId: 7,
    address: many,
  })) {
    listed.push(wallet_address)
  }
  expect(listed).toEqual(data?.map(({ wallet_address }) => wallet_address))
  expect(client.getUsage().remaining).toBe(0)
})

it('recovers from truncated and stalled responses and a captive portal', async () => {
  const { create, proxy } = await start()
  const client = create({ timeout: 3000 })
  const stream = watchTokenBalance(client, holding, { refetchInterval: 20 })
  const seen: string[] = []
  const subscription = stream.subscribe(({ status, data, error }) => {
    seen.push(`${status} ${error?.name ?? ''} ${data?.balances[0]?.amount ?? ''}`)
  })
  const expectSuccess = () => expect.poll(() => stream.getSnapshot().status).toBe('success')
  await expectSuccess()
  proxy.fault = proxyFaults.page
  await expect.poll(() => stream.getSnapshot().error?.name).toBe('InvalidResponseError')
  proxy.fault = proxyFaults.none
  await stream.getSnapshot().refetch()
  await expectSuccess()
  const withoutRetry = { ...balancesQueryOptions(client, { address: wallet }), retry: false }
  for (const [fault, name] of [
    ['cut', 'NetworkError'],
    ['stuck', 'TimeoutError'],
  ] as const) {
    proxy.fault = proxyFaults[fault]
    const failed = client.queryClient.fetchQuery({ ...withoutRetry, staleTime: 0 })
    await expect(failed).rejects.toMatchObject({ name, isRetryable: true })
  }
  proxy.fault = proxyFaults.none
  await stream.getSnapshot().refetch()
  await expectSuccess()
  // No failure discarded the data.
  expect(new Set(seen)).toEqual(
    new Set(['pending  ', 'success  1', 'error InvalidResponseError 1']),
  )
  subscription.unsubscribe()
})
