import type { JsonSchema } from './JsonSchema.ts'
import type { ValidationError } from './ValidationError.ts'

/** Says whether a value is a `T`, and of the last value that was none, why not. */
export interface Validator<T> {
  (value: unknown): value is T
  /** The first rule that the last value broke, after those of its branches if it is a choice; null for none. */
  errors?: ValidationError[] | null
}

/** What is wrong with a value, if anything. A value that is looked at further is of the type that its schema names. */
type Check = (value: never) => ValidationError[] | undefined

/**
 * Makes a validator of a schema, for the keywords that {@link JsonSchema} has; a schema with another one has a `type`
 * too. Small rather than general, since it travels into browsers. Compiles at first use, into functions and not into
 * code, which the policy of a page may forbid.
 */
export function createValidator<T>(schema: JsonSchema): Validator<T> {
  let check: Check | undefined
  const validator: Validator<T> = (value): value is T => {
    check ??= compile(schema)
    const errors = check(value as never)
    validator.errors = errors ?? null
    return errors === undefined
  }
  return validator
}

const types: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  number: Number.isFinite,
  integer: Number.isInteger,
  boolean: (value) => typeof value === 'boolean',
  array: Array.isArray,
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  null: (value) => value === null,
}

const limits = [
  ['maximum', (value: number, limit: number) => value <= limit, 'be <= #'],
  ['minimum', (value: number, limit: number) => value >= limit, 'be >= #'],
  [
    'maxItems',
    ({ length }: unknown[], limit: number) => length <= limit,
    'NOT have more than # items',
  ],
  [
    'minItems',
    ({ length }: unknown[], limit: number) => length >= limit,
    'NOT have fewer than # items',
  ],
] as const

function compile(schema: JsonSchema): Check {
  const { type, pattern, enum: allowedValues, items, anyOf } = schema
  const checks: Check[] = []
  const rule = (keyword: string, text: string, params: object, isGood: (value: never) => boolean) =>
    checks.push((value) => (isGood(value) ? undefined : breach(keyword, text, params)))

  if (type !== undefined) {
    const isOf = [type].flat().map((name) => types[name] as (value: unknown) => boolean)
    const [is] = isOf
    const isGood = isOf.length === 1 && is ? is : (value: unknown) => isOf.some((is) => is(value))
    rule('type', `be ${String(type)}`, { type }, isGood)
  }
  if (pattern !== undefined) {
    const expression = new RegExp(pattern, 'u')
    rule('pattern', `match pattern "${pattern}"`, { pattern }, (text) => expression.test(text))
  }
  if (allowedValues !== undefined) {
    const text = 'be equal to one of the allowed values'
    rule('enum', text, { allowedValues }, (value) => allowedValues.includes(value))
  }
  for (const [keyword, isWithin, text] of limits) {
    const limit = schema[keyword]
    if (limit === undefined) continue
    rule(keyword, text.replace('#', String(limit)), { limit }, (value) => isWithin(value, limit))
  }
  if (items !== undefined) {
    const check = compile(items)
    checks.push((list: never[]) => {
      for (const [index, value] of list.entries()) {
        const errors = check(value)
        if (errors) return within(index, errors)
      }
      return undefined
    })
  }
  if (schema.properties !== undefined) checks.push(checkFields(schema))
  if (anyOf !== undefined) {
    const branches = anyOf.map(compile)
    checks.push((value) => {
      const errors = branches.map((check) => check(value))
      if (errors.includes(undefined)) return undefined
      return [
        ...errors.flatMap((each) => each ?? []),
        ...breach('anyOf', 'match a schema in anyOf'),
      ]
    })
  }
  // Nested calls rather than a loop: most values have one check or two.
  return checks.reduce((one, other) => (value) => one(value) ?? other(value))
}

/** By what is there rather than by what may be, and each field once: objects are read fastest so. */
function checkFields({ properties = {}, required = [], additionalProperties }: JsonSchema): Check {
  const fields = new Map(
    Object.entries(properties).map(([name, each]) => [
      name,
      { check: compile(each), needed: required.includes(name) ? 1 : 0 },
    ]),
  )
  return (object: Readonly<Record<string, never>>) => {
    let missing = required.length
    for (const name in object) {
      const value = object[name]
      const field = fields.get(name)
      if (field === undefined) {
        if (additionalProperties !== false) continue
        const params = { additionalProperty: name }
        return breach('additionalProperties', 'NOT have additional properties', params)
      }
      if (value === undefined) continue
      const errors = field.check(value)
      if (errors) return within(name, errors)
      missing -= field.needed
    }
    if (missing === 0) return undefined
    const missingProperty = required.find((name) => object[name] === undefined)
    return breach('required', `have required property '${missingProperty}'`, { missingProperty })
  }
}

function breach(keyword: string, text: string, params: object = {}): ValidationError[] {
  return [{ instancePath: '', keyword, params: { ...params }, message: `must ${text}` }]
}

function within(name: string | number, errors: readonly ValidationError[]): ValidationError[] {
  return errors.map((error) => ({ ...error, instancePath: `/${name}${error.instancePath}` }))
}
