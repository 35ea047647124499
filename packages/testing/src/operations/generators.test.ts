// For any parameters, responses match the contract: schema, page limits and cost.
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as contract from '@headwater/contract'
import { type OperationName, operations, type ParametersOf } from '@headwater/contract'
import { operationSchemas } from '@headwater/contract/schemas'
import { createClient, estimateUnits } from '@headwater/core'
import { createFakeService } from '../createFakeService.ts'
import { generators } from './generators.ts'

const service = createFakeService()
const defaultChains = 3
const wallets = service.wallets.map(({ address }) => address)
const tokens = service.tokens.filter(({ symbol }) => !/^T\d{4}$/.test(symbol ?? ''))

const address = fc.oneof(
  fc.constantFrom(...wallets),
  fc.constantFrom(...wallets.map((each) => `0x${each.slice(2).toUpperCase()}`)),
  fc.stringMatching(/^0x[0-9a-f]{40}$/),
)
const chainIds = fc.uniqueArray(fc.constantFrom<number | string>(1, 8453, 137, 11_155_111), {
  minLength: 1,
})
const historicalPrices = fc.array(fc.integer({ min: 1, max: 10_000 }), {
  minLength: 1,
  maxLength: 3,
})
const metadata = fc.uniqueArray(fc.constantFrom('logo', 'url', 'pools'), { minLength: 1 })
const limit = fc.integer({ min: 1, max: 3000 })
const optional = <Fields extends object>(fields: {
  [Name in keyof Fields]: fc.Arbitrary<Fields[Name]>
}) => fc.record(fields, { requiredKeys: [] })

const tokenOfChain = fc
  .constantFrom(...tokens)
  .map(({ chainId, address: token }) => ({ chainIds: [chainId] as const, token }))

/** Valid parameters with a response, by operation. */
const arbitraries: { [Name in OperationName]: fc.Arbitrary<ParametersOf<Name>> } = {
  balances: fc
    .tuple(
      address,
      optional({
        chainIds,
        filters: fc.constantFrom<'erc20' | 'native'>('erc20', 'native'),
        metadata,
        excludeSpamTokens: fc.boolean(),
        historicalPrices,
        limit,
      }),
    )
    .map(([of, rest]) => ({ address: of, ...rest })),
  collectibles: fc
    .tuple(address, optional({ chainIds, limit }))
    .map(([of, rest]) => ({ address: of, ...rest })),
  tokenBalance: fc.tuple(address, tokenOfChain, optional({ metadata, historicalPrices })).map(
    ([
      of,
      {
        token,
        chainIds: [id],
      },
      rest,
    ]) => ({
      address: of,
      tokenAddress: token,
      chainIds: [id],
      ...rest,
    }),
  ),
  tokenInfo: fc
    .tuple(tokenOfChain, optional({ historicalPrices, limit: fc.integer({ min: 0, max: 5 }) }))
    .map(
      ([
        {
          token,
          chainIds: [id],
        },
        rest,
      ]) => ({ address: token, chainIds: [id], ...rest }),
    ),
  tokenHolders: fc
    .tuple(
      fc.constantFrom(
        ...tokens.filter(({ address: token }) => token !== 'native'),
        ...service.collections.filter(({ standard }) => standard === 'ERC721'),
      ),
      optional({ limit }),
    )
    .map(([{ chainId, address: token }, rest]) => ({ chainId, address: token, ...rest })),
}

const names = Object.keys(operations) as OperationName[]
const ajv = new Ajv2020({ strict: false, validateFormats: false })

/** Sends a request and checks its response. */
async function request(name: OperationName, parameters: Record<string, unknown>) {
  const operation = operations[name]
  const { itemsField } = operation
  const path = operation.path.replace(/\{(\w+)\}/g, (_, each: string) => String(parameters[each]))
  const query = operation.queryParameters
    .filter((each) => parameters[each] !== undefined)
    .map((each) => `${contract.wireName(each)}=${encodeURIComponent(String(parameters[each]))}`)
  const before = service.units
  const response = await service.fetch(`${service.url}${path}?${query.join('&')}`, {
    headers: { [contract.API_KEY_HEADER]: service.key },
  })
  const body = (await response.json()) as Record<string, unknown> & {
    next_offset?: string | null
  }
  expect({ status: response.status, body }).toMatchObject({ status: 200 })
  const units = Number(response.headers.get('x-compute-units-cost'))
  expect(service.units - before).toBe(units)
  expect(service.requests.at(-1)).toMatchObject({ operation: name, parameters, units })
  return { body, units, rows: body[itemsField] as object[] }
}

it('has a generator of each operation of the contract', () => {
  expect(Object.keys(generators).sort()).toEqual([...names].sort())
})

describe.each(names)('%s', (name) => {
  const operation = operations[name]
  const arbitrary = arbitraries[name] as unknown as fc.Arbitrary<Record<string, unknown>>
  const { response, item } = operationSchemas[name]
  const validate = ajv.compile(response)

  it('matches the schema and the cost of the contract', async () => {
    await fc.assert(
      fc.asyncProperty(arbitrary, async (parameters) => {
        const { body, units, rows } = await request(name, parameters)
        expect({ errors: validate(body) ? null : validate.errors, body }).toMatchObject({
          errors: null,
        })
        const declared = response.properties
        expect(Object.keys(body).filter((field) => !(field in declared))).toEqual([])
        const fields = Object.keys(item.properties)
        expect(
          rows.flatMap((row) => Object.keys(row)).filter((each) => !fields.includes(each)),
        ).toEqual([])
        const cost = operation.cost as (of: object, count: (ids?: unknown[]) => number) => number
        expect(units).toBe(cost(parameters, (ids) => ids?.length ?? defaultChains))
        if (parameters['chainIds'] !== undefined || operation.chains === 'one') {
          expect(units).toBe(estimateUnits(name, parameters as never))
        }
      }),
      { numRuns: 30 },
    )
  })
})

const listing = names.filter((name) => 'pagination' in operations[name])

describe.each(listing)('%s', (name) => {
  const { getItemId, pagination } = operations[name] as unknown as Required<
    contract.Operation<string, never, never, object>
  >
  const walk = async (parameters: Record<string, unknown>, limit: number) => {
    const rows: object[] = []
    let offset: string | undefined
    do {
      const page = await request(name, { ...parameters, limit, ...(offset && { offset }) })
      expect(page.rows.length).toBeLessThanOrEqual(Math.min(limit, pagination.limit.maximum))
      rows.push(...page.rows)
      offset = page.body.next_offset ?? undefined
    } while (offset)
    return rows.map(getItemId)
  }

  it('lists each row once for any page size', async () => {
    const arbitrary = arbitraries[name] as unknown as fc.Arbitrary<Record<string, unknown>>
    await fc.assert(
      fc.asyncProperty(arbitrary, fc.integer({ min: 40, max: 3000 }), async (parameters, size) => {
        const pages = await walk(parameters, size)
        expect(new Set(pages).size).toBe(pages.length)
        expect(pages).toEqual(await walk(parameters, pagination.limit.maximum))
      }),
      { numRuns: 6 },
    )
  })
})

it('charges the units that a client counts', async () => {
  const client = createClient({ baseUrl: service.url, apiKey: service.key, fetch: service.fetch })
  const before = service.units
  const core = await import('@headwater/core')
  const [usdc] = tokens.filter(({ symbol }) => symbol === 'USDC')
  const wallet = service.wallet('everyday').address
  await core.getBalances(client, { address: wallet })
  await core.getCollectibles(client, { address: wallet, chainIds: [1] })
  await core.getTokenBalance(client, {
    address: wallet,
    tokenAddress: usdc!.address,
    chainIds: [1],
  })
  await core.getTokenInfo(client, { address: usdc!.address, chainIds: [1] })
  await core.getTokenHolders(client, { chainId: 1, address: usdc!.address })
  expect(client.getUsage()).toMatchObject({
    spent: 9,
    byOperation: { balances: 3, collectibles: 1, tokenBalance: 1, tokenInfo: 2, tokenHolders: 2 },
  })
  expect(service.units - before).toBe(9)
})
