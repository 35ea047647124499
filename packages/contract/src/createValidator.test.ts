import { Ajv, type ErrorObject } from 'ajv'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createValidator } from './createValidator.ts'
import * as validators from './generated/validators.ts'
import type { JsonSchema } from './JsonSchema.ts'
import { operations } from './schemas.ts'

// A general validator of JSON Schema says what ours should.
const ajv = new Ajv({
  formats: { 'date-time': true },
  allowUnionTypes: true,
  allErrors: true,
  strict: false,
})
/** Where and which rule. Ours names a field that is missing or unknown by its own place. */
const toReason = ({ instancePath, keyword, params }: ErrorObject) => {
  const name: unknown = params['missingProperty'] ?? params['additionalProperty']
  return `${instancePath}${typeof name === 'string' ? `/${name}` : ''} ${keyword}`
}

/** Values that are near to what a schema wants: most are right, some of their parts are anything. */
function near(schema: JsonSchema): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 30, arbitrary: right(schema) }, { weight: 1, arbitrary: anything })
}
/** Each pattern takes some of them. */
const texts = ['native', `0x${'aB'.repeat(20)}`, '0', '115', 'default', '-1', '']
const anything = fc.constantFrom<unknown>(
  ...[undefined, null, true, -1, 0, 1.5, 256, 2 ** 53, [], [1], [1, 2, 3, 4], {}, { a: 1 }],
  ...texts,
)

function right(schema: JsonSchema): fc.Arbitrary<unknown> {
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(near))
  if (schema.pattern) {
    const pattern = new RegExp(schema.pattern, 'u')
    return fc.constantFrom(...texts.filter((text) => pattern.test(text)))
  }
  const { minimum: min = -9, maximum: max = 999 } = schema
  switch (String([schema.type].flat()[0])) {
    case 'integer':
      return fc.integer({ min, max: Math.min(max, 999) })
    case 'number':
      return fc.double({ noNaN: true, noDefaultInfinity: true })
    case 'boolean':
      return fc.boolean()
    case 'array':
      return fc.array(near(schema.items ?? {}), {
        minLength: schema.minItems ?? 0,
        maxLength: schema.maxItems ?? 3,
      })
    case 'object': {
      const fields = Object.entries(schema.properties ?? {})
      const required = fc.integer({ min: 0, max: 9 }).map((lucky) => lucky > 0)
      return required.chain((all) =>
        fc.record(
          {
            ...Object.fromEntries(fields.map(([name, each]) => [name, near(each)])),
            ...(!all && { colour: anything }),
          } as Record<string, fc.Arbitrary<unknown>>,
          { requiredKeys: all ? [...(schema.required ?? [])] : [] },
        ),
      )
    }
    default:
      return fc.string({ maxLength: 5 })
  }
}

const schemas = Object.values(operations).flatMap(({ schema: { parameters, item, response } }) => [
  parameters,
  item,
  response,
])

describe.each(schemas.map((schema) => [schema.title, schema] as const))('%s', (_, schema) => {
  it('is judged as a general validator judges it, with one of its reasons', () => {
    const ours = createValidator(schema)
    const theirs = ajv.compile(schema)
    let good = 0
    fc.assert(
      fc.property(near(schema), (value) => {
        const isGood = ours(value)
        if (isGood) good++
        expect(isGood).toBe(theirs(value))
        // Ours stops at the first.
        const { instancePath, keyword } = ours.error ?? {}
        if (!isGood) expect(theirs.errors?.map(toReason)).toContain(`${instancePath} ${keyword}`)
        expect(ours.error === undefined).toBe(isGood)
      }),
      { numRuns: 200 },
    )
    // Else nothing but refusals would have been compared.
    expect(good).toBeGreaterThan(20)
  })
})

describe('a generated validator', () => {
  it.each([
    [{ limit: 0 }, '/limit', 'must be >= 1'],
    [{ limit: 'ten' }, '/limit', 'must be integer'],
    [{ filters: 'all' }, '/filters', 'must be one of erc20,native'],
    [{ chainIds: [] }, '/chainIds', 'must have a length >= 1'],
    [
      { chainIds: [1, '-'] },
      '/chainIds/1',
      'must be integer or must match ^[A-Za-z][A-Za-z0-9_-]*$',
    ],
    [{ address: undefined }, '/address', 'is required'],
    [{ colour: 1 }, '/colour', 'is unknown'],
  ])('says of %o where and why', (wrong, instancePath, message) => {
    const address = texts[1]
    expect(validators.isBalancesParameters({ address, ...wrong })).toBe(false)
    expect(validators.isBalancesParameters.error).toMatchObject({ instancePath, message })
  })

  it.each(Object.entries(validators))('%s refuses what it should', (_, validator) => {
    for (const value of [undefined, null, 1, 'text', [], {}]) expect(validator(value)).toBe(false)
    expect(validator.error).toBeDefined()
  })

  it('judges only the outside of an answer', () => {
    const { isBalancesResponse } = validators
    expect(isBalancesResponse({ wallet_address: '0x', balances: [1], errors: 5 })).toBe(true)
    expect(isBalancesResponse({ wallet_address: '0x', balances: {} })).toBe(false)
  })
})
