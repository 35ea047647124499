import { QueryClient } from '@tanstack/query-core'
import { firstValueFrom } from 'rxjs'
import { filter } from 'rxjs/operators'
import { describe, expect, it } from 'vitest'
import { address, balance, balancesResponse } from '../../test/balances.ts'
import { operationExamples } from '../../test/operations.ts'
import { sharedServer } from '../../test/sharedServer.ts'
import { respondWith } from '../../test/startServer.ts'
import * as core from '../index.ts'

const { createClient, watchTokenBalance, watchTokenInfo } = core
const { server } = await sharedServer()

describe.each(operationExamples)(
  'the functions of $name',
  ({ name, parameters, request, items, createResponse, get, queryOptions, watch, ...example }) => {
    const create = () => createClient({ baseUrl: server.baseUrl })

    it('send the specified request and return the response', async () => {
      const body = createResponse(example.item)
      server.use(respondWith(body))
      expect(await get(create(), parameters)).toEqual(body)
      const options = queryOptions(create(), parameters)
      expect(await new QueryClient().fetchQuery(options)).toEqual(body)
      expect(server.requests.map(({ url }) => url)).toEqual([
        request,
        request + (example.largestPage ?? ''),
      ])
      expect(options.queryKey.slice(0, 3)).toEqual(['headwater', server.baseUrl, name])
    })

    it('reject an unknown parameter before sending', async () => {
      const error = { name: 'InvalidParameterError', parameter: 'colour' }
      await expect(get(create(), { ...parameters, colour: 1 })).rejects.toMatchObject(error)
      expect(server.requests).toEqual([])
    })

    it.each([undefined, null, 'text'])('name the missing argument in %o', async (missing) => {
      const error = { name: 'InvalidParameterError', parameter: expect.stringMatching(/\w{2,}/) }
      const client = create()
      const given = missing as never
      await expect(get(client, given)).rejects.toMatchObject(error)
      const options = queryOptions(client, given)
      await expect(new QueryClient().fetchQuery(options)).rejects.toMatchObject(error)
      expect(watch(client, given).getSnapshot()).toMatchObject({ status: 'error', error })

      const withoutClient = { name: 'InvalidParameterError', parameter: 'client' }
      await expect(get(given, parameters)).rejects.toMatchObject(withoutClient)
      expect(() => queryOptions(given, parameters)).toThrow(/`client`.*`createClient`/)
      expect(() => watch(given, parameters)).toThrow(/`client`.*`createClient`/)
      expect(server.requests).toEqual([])
    })

    it.each([null, 'text'])('name the options, which are not %j', async (options) => {
      const error = { name: 'InvalidParameterError', parameter: 'options' }
      const client = create()
      await expect(get(client, parameters, options as never)).rejects.toMatchObject(error)
      const watchWith = (given: object) => () => watch(client, parameters, given)
      expect(watchWith(options as never)).toThrow(expect.objectContaining(error))
      const select = { name: 'InvalidParameterError', parameter: 'select' }
      expect(watchWith({ select: options || 'text' })).toThrow(expect.objectContaining(select))
      if (example.paginate) {
        const { fetchAll } = watch(client, parameters).getSnapshot()
        await expect(fetchAll(options as never)).rejects.toMatchObject(error)
        const paginate = () => example.paginate?.(client, parameters, options as never)
        expect(paginate).toThrow(expect.objectContaining(error))
      }
      expect(server.requests).toEqual([])
    })

    it('remove invalid items and fields with a warning', async () => {
      const item = example.item
      const partlyInvalid = { ...item, ...example.malformedField }
      const body = createResponse(partlyInvalid, null as never, {
        ...item,
        ...example.malformedItem,
      })
      server.use(respondWith(body))
      const fieldNames = Object.keys(example.malformedField)
      const rest = Object.fromEntries(
        Object.entries(item).filter(([key]) => !fieldNames.includes(key)),
      )
      expect(await get(create(), parameters)).toEqual({
        ...createResponse(rest),
        warnings: [
          {
            code: 'MALFORMED_ITEMS',
            message: `2 of 3 entries of ${items} are invalid and were removed.`,
          },
          {
            code: 'MALFORMED_FIELDS',
            message: `The fields ${fieldNames.join()} of some entries of ${items} are invalid and were removed.`,
          },
        ],
      })
    })

    it('reject an invalid response', async () => {
      server.use(respondWith({ [items]: 'none' }))
      const error = { name: 'InvalidResponseError' }
      await expect(get(create(), parameters)).rejects.toMatchObject(error)
    })
  },
)

it.each([undefined, {}])('other functions name a missing client in %o', (missing) => {
  const client = missing as never
  const error = /`client`.*`createClient`/
  expect(() => core.watchPrice(client, { chainId: 1, address: 'native' })).toThrow(error)
  expect(() => core.watchPrices(client, [])).toThrow(error)
  expect(() => core.watchPortfolio(client, { address })).toThrow(error)
  expect(() => core.balancesQueryFilter(client)).toThrow(error)
  expect(() => core.addressQueryFilter(client, address)).toThrow(error)
  expect(() => core.paginateBalances(client, { address })).toThrow(error)
  expect(() => core.broadcastClient(client)).toThrow(error)
  expect(() => core.setBudget(client)).toThrow(error)
  expect(() => core.watchForChange(client)).toThrow(error)
})

it.each([null, 'text'])('other functions name the options, which are not %j', async (given) => {
  const client = createClient({ baseUrl: server.baseUrl })
  const options = given as never
  const error = { name: 'InvalidParameterError', parameter: 'options' }
  expect(() => core.broadcastClient(client, options)).toThrow(expect.objectContaining(error))
  const query = core.balancesQueryOptions(client, { address })
  await expect(core.waitForChange(client, query, options)).rejects.toMatchObject(error)
  const { waitForChange } = core.watchForChange(client).getSnapshot()
  expect(await waitForChange(query, options)).toMatchObject({ status: 'error', error })
  const budget = { name: 'InvalidParameterError', parameter: 'budget' }
  expect(() => core.setBudget(client, 60 as never)).toThrow(expect.objectContaining(budget))
})

it.each([undefined, Promise.resolve(), {}])('SnapshotReader names the stream, not %o', (other) => {
  expect(() => new core.SnapshotReader(other as never)).toThrow(/`stream`.*`watchBalances`/)
})

it.each([
  ['refetchInterval', '5000', 'number or function or false'],
  ['staleTime', '5000', 'number'],
  ['gcTime', '5000', 'number'],
  ['refetchOnWindowFocus', 'true', 'boolean or function or always'],
  ['refetchOnReconnect', 'true', 'boolean or function or always'],
  ['retry', '3', 'boolean or number or function'],
  ['retryDelay', '100', 'number or function'],
  ['pageSize', '50', 'number'],
  ['maxPages', '2', 'number'],
  ['tailRefetchInterval', '5000', 'number or false'],
])(
  'streams name the option %s that is a text, as of an environment variable',
  (name, text, types) => {
    const client = createClient({ baseUrl: server.baseUrl })
    const rule = `The parameter \`${name}\` must be of type ${types}.`
    const error = expect.objectContaining({ parameter: name, shortMessage: rule }) as Error
    expect(() => core.watchBalances(client, { address }, { [name]: text })).toThrow(error)
    expect(() => core.watchBalances(client, { address }, { [name]: null })).not.toThrow()
    expect(() => core.watchPortfolio(client, { address }, { [name]: text })).toThrow(error)
    expect(() => core.watchPrices(client, [], { [name]: text })).toThrow(error)
  },
)

it('waitForChange names missing arguments', async () => {
  const client = createClient({ baseUrl: server.baseUrl })
  const missing = undefined as never
  await expect(core.waitForChange(missing, missing)).rejects.toMatchObject({ parameter: 'client' })
  await expect(core.waitForChange(client, missing)).rejects.toMatchObject({
    parameter: 'queryOptions',
    shortMessage: expect.stringContaining('`balancesQueryOptions`') as string,
  })
  const unknown = core.balancesQueryOptions(client, { address: undefined }) as never
  await expect(core.waitForChange(client, unknown)).rejects.toMatchObject({
    parameter: 'queryOptions',
    shortMessage: expect.stringContaining('parameters') as string,
  })
})

describe('streams of single responses', () => {
  const settled = filter(({ status }: { status: string }) => status !== 'pending')

  it('emit a token', async () => {
    const body = { contract_address: 'native', tokens: [{ chain_id: 31337, price_usd: 2000.5 }] }
    server.use(respondWith(body))
    const client = createClient({ baseUrl: server.baseUrl })
    const stream = watchTokenInfo(
      client,
      { address: 'native', chainIds: [31337] },
      { select: ({ tokens }) => tokens[0]?.price_usd },
    )
    expect(await firstValueFrom(stream.pipe(settled))).toMatchObject({ data: 2000.5 })
    client.destroy()
  })

  it('emit the balance of one token', async () => {
    server.use(respondWith(balancesResponse(balance({ amount: '7' }))))
    const client = createClient({ baseUrl: server.baseUrl })
    const parameters = { address, tokenAddress: 'native', chainIds: [31337] } as const
    const stream = watchTokenBalance(client, parameters)
    expect(await firstValueFrom(stream.pipe(settled))).toMatchObject({
      data: balancesResponse(balance({ amount: '7' })),
    })
    expect(server.requests[0]?.url).toBe(`/v1/evm/balances/${address}/token/native?chain_ids=31337`)
    client.destroy()
  })
})
