import { Ajv, type ErrorObject } from 'ajv'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createValidator } from './createValidator.ts'
import * as validators from './generated/validators.ts'
import type { JsonSchema, ObjectSchema } from './JsonSchema.ts'
import { operationSchemas } from './operationSchemas.ts'

// The reference implementation.
const ajv = new Ajv({
  formats: { 'date-time': true },
  allowUnionTypes: true,
  allErrors: true,
  strict: false,
})
/** Path and keyword. Ours reports a missing or unknown field at the path of the field. */
const toReason = ({ instancePath, keyword, params }: ErrorObject) => {
  const name: unknown = params['missingProperty'] ?? params['additionalProperty']
  return `${instancePath}${typeof name === 'string' ? `/${name}` : ''} ${keyword}`
}

/** Values close to a schema: most are valid, some contain arbitrary parts. */
function nearlyValid(schema: JsonSchema): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 30, arbitrary: valid(schema) }, { weight: 1, arbitrary: anything })
}
/** Each pattern matches some of them. */
const texts = ['native', `0x${'aB'.repeat(20)}`, '0', '115', 'default', '-1', '']
const anything = fc.constantFrom<unknown>(
  ...[undefined, null, true, -1, 0, 1.5, 256, 2 ** 53, [], [1], [1, 2, 3, 4], {}, { a: 1 }],
  ...texts,
)

function valid(schema: JsonSchema): fc.Arbitrary<unknown> {
  if (schema.enum) {
    return fc.constantFrom(...schema.enum)
  }
  if (Array.isArray(schema.type)) {
    const types = schema.type as readonly 'string'[]
    return fc.oneof(...types.map((type) => nearlyValid({ ...schema, type })))
  }
  if (schema.type === 'string' && schema.pattern) {
    const pattern = new RegExp(schema.pattern, 'u')
    return fc.constantFrom(...texts.filter((text) => pattern.test(text)))
  }
  const { minimum: min = -9, maximum: max = 999 } = schema
  switch (String(schema.type)) {
    case 'integer':
      return fc.integer({ min, max: Math.min(max, 999) })
    case 'number':
      return fc.double({ noNaN: true, noDefaultInfinity: true })
    case 'boolean':
      return fc.boolean()
    case 'array':
      return fc.array(nearlyValid(schema.items ?? {}), {
        minLength: schema.minItems ?? 0,
        maxLength: schema.maxItems ?? 3,
      })
    case 'object': {
      const fields = Object.entries(schema.properties ?? {})
      const required = fc.integer({ min: 0, max: 9 }).map((roll) => roll > 0)
      return required.chain((all) =>
        fc.record(
          {
            ...Object.fromEntries(fields.map(([name, each]) => [name, nearlyValid(each)])),
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

const schemas: readonly JsonSchema[] = Object.values(operationSchemas).flatMap(
  ({ parameters, item, response }) => [parameters, item, response],
)

describe.each(schemas.map((schema) => [schema.title, schema] as const))('%s', (_, schema) => {
  it('agrees with Ajv, and reports one of its errors', () => {
    const ours = createValidator(schema)
    const theirs = ajv.compile(schema)
    let validCount = 0
    fc.assert(
      fc.property(nearlyValid(schema), (value) => {
        const isValid = ours(value)
        if (isValid) {
          validCount++
        }
        expect(isValid).toBe(theirs(value))
        // Ours stops at the first violation.
        const { instancePath, keyword } = ours.error ?? {}
        if (!isValid) {
          expect(theirs.errors?.map(toReason)).toContain(`${instancePath} ${keyword}`)
        }
        expect(ours.error === undefined).toBe(isValid)
      }),
      { numRuns: 300 },
    )
    // Otherwise only rejections would have been compared.
    expect(validCount).toBeGreaterThan(10)
  })
})

describe('a generated validator', () => {
  it.each([
    [{ limit: 0 }, '/limit', 'must be >= 1'],
    [{ limit: 'ten' }, '/limit', 'must be of type integer'],
    [{ filters: 'all' }, '/filters', 'must be erc20 or native'],
    [{ chainIds: [] }, '/chainIds', 'must have a length >= 1'],
    [{ chainIds: [1, '-'] }, '/chainIds/1', 'must be a number or a tag'],
    [{ chainIds: [0] }, '/chainIds/0', 'must be >= 1'],
    [{ chainIds: [true] }, '/chainIds/0', 'must be of type integer or string'],
    [{ address: 'vitalik.eth' }, '/address', 'must be `0x` and 40 hex digits'],
    [{ address: undefined }, '/address', 'is required'],
    [{ colour: 1 }, '/colour', 'is unknown'],
  ])('reports path and reason for %o', (wrong, instancePath, message) => {
    const address = texts[1]
    expect(validators.isBalancesParameters({ address, ...wrong })).toBe(false)
    expect(validators.isBalancesParameters.error).toMatchObject({ instancePath, message })
  })

  it.each(Object.values(operationSchemas).map(({ parameters }) => parameters))(
    'has a text for each pattern of $title, which messages do not contain',
    ({ properties }: ObjectSchema) => {
      for (const {
        items,
        pattern = items?.pattern,
        patternText = items?.patternText,
      } of Object.values(properties)) {
        expect(patternText === undefined).toBe(pattern === undefined)
      }
    },
  )

  it.each(Object.entries(validators))('%s rejects invalid values', (_, validator) => {
    for (const value of [undefined, null, 1, 'text', [], { unknown: 1 }]) {
      expect(validator(value)).toBe(false)
    }
    expect(validator.error).toBeDefined()
  })

  it('validates a response without its items', () => {
    const { isBalancesResponse } = validators
    expect(isBalancesResponse({ wallet_address: '0x', balances: [1], errors: 5 })).toBe(true)
    expect(isBalancesResponse({ wallet_address: '0x', balances: {} })).toBe(false)
  })
})
