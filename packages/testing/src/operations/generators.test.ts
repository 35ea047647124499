// For any parameters, responses match the contract: schema, page limits and cost.
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as contract from '@headwater/contract'
import { type OperationName, operations } from '@headwater/contract'
import {
  createParameters,
  type JsonSchema,
  type ObjectSchema,
  operationSchemas,
} from '@headwater/contract/schemas'
import * as core from '@headwater/core'
import { createClient, estimateUnits } from '@headwater/core'
import { createFakeService } from '../createFakeService.ts'
import { generators } from './generators.ts'

const service = createFakeService()
const defaultChains = 3
const wallets = service.wallets.map(({ address }) => address)
const tokens = service.tokens.filter(({ symbol }) => !/^T\d{4}$/.test(symbol ?? ''))

const anyWallet = fc.oneof(
  fc.constantFrom(...wallets),
  fc.constantFrom(...wallets.map((each) => `0x${each.slice(2).toUpperCase()}`)),
  fc.stringMatching(/^0x[0-9a-f]{40}$/),
)
const anyToken = fc.constantFrom(...tokens)
const anyContract = fc.constantFrom(
  ...tokens.filter(({ address }) => address !== 'native'),
  ...service.collections.filter(({ standard }) => standard === 'ERC721'),
)
const anyChainIds = fc.uniqueArray(fc.constantFrom<number | string>(1, 8453, 137, 11_155_111), {
  minLength: 1,
})

/** Valid parameters with a response. */
function arbitraryParameters(name: OperationName): fc.Arbitrary<Record<string, unknown>> {
  const schema: ObjectSchema = operationSchemas[name].parameters
  const { properties, required = [] } = schema
  const optional = Object.entries(properties).filter(
    ([parameter]) => !required.includes(parameter) && parameter !== 'offset',
  )
  const acceptsNative = JSON.stringify(properties).includes('native|')
  return fc
    .tuple(
      anyWallet,
      acceptsNative ? anyToken : anyContract,
      fc.record(
        Object.fromEntries(
          optional.map(([parameter, value]) => [
            parameter,
            parameter === 'chainIds' ? anyChainIds : arbitraryValue(value),
          ]),
        ),
        { requiredKeys: [] },
      ),
    )
    .map(([wallet, { chainId, address: token }, rest]) => {
      const all: Record<string, unknown> = {
        ...createParameters(name, { wallet, token, chainId }),
      }
      return { ...Object.fromEntries(required.map((key) => [key, all[key]])), ...rest }
    })
}

/** A valid value of a parameter. */
function arbitraryValue({ type, items, ...schema }: JsonSchema): fc.Arbitrary<unknown> {
  if (items) {
    const { minItems: minLength = 0, maxItems: maxLength = 3 } = schema
    return fc.array(arbitraryValue(items), { minLength, maxLength })
  }
  if (type === 'integer') {
    return fc.integer({ min: schema.minimum ?? 0, max: 3000 })
  }
  return type === 'boolean' ? fc.boolean() : fc.constantFrom(...schema.enum!)
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
  const arbitrary = arbitraryParameters(name)
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
    const arbitrary = arbitraryParameters(name)
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
  const { address: wallet } = service.wallet('everyday')
  const { address: token } = service.token('USDC')
  for (const name of names) {
    const get = (core as unknown as Record<string, (...of: unknown[]) => Promise<object>>)[
      `get${name[0]!.toUpperCase()}${name.slice(1)}`
    ]!
    await get(client, createParameters(name, { wallet, token, chainId: 1 }))
  }
  await core.getBalances(client, { address: wallet })
  const { spent, byOperation } = client.getUsage()
  expect(byOperation).toMatchObject({
    balances: 1 + defaultChains,
    collectibles: 1,
    tokenBalance: 1,
    tokenInfo: 2,
    tokenHolders: 2,
  })
  expect(Object.keys(byOperation).sort()).toEqual([...names].sort())
  expect(service.units - before).toBe(spent)
})
