import type { JsonSchema } from './JsonSchema.ts'
import type { ValidationError } from './ValidationError.ts'

/** Says whether a value is a `T`, and of the last value that was none, why not. */
export interface Validator<T> {
  (value: unknown): value is T
  /** The first rule that the last value broke; undefined for none. */
  error?: ValidationError | undefined
}

/** What is wrong with a value, if anything. A value that is looked at further is of the type that its schema names. */
type Check = (value: never) => ValidationError | undefined

/**
 * Makes a validator of a schema, for the keywords that {@link JsonSchema} has; a schema with another one has a `type`
 * too. Small rather than general, since it travels into browsers. Compiles at first use, into functions and not into
 * code, which the policy of a page may forbid.
 */
export function createValidator<T>(schema: JsonSchema): Validator<T> {
  let check: Check | undefined
  const validator: Validator<T> = (value): value is T => {
    check ??= compile(schema)
    validator.error = check(value as never)
    return !validator.error
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

/** The rules about a value as a whole: in words, and how to test for what the schema says. */
const rules: readonly [keyof JsonSchema, string, (limit: never) => (value: never) => boolean][] = [
  [
    'type',
    'be',
    (type: string | readonly string[]) => {
      const [is, ...others] = [type].flat().map((name) => types[name] as Test)
      return others.length > 0 ? (value) => [is, ...others].some((is) => is?.(value)) : (is as Test)
    },
  ],
  [
    'pattern',
    'match',
    (pattern: string) => {
      const expression = new RegExp(pattern, 'u')
      return (text) => expression.test(text)
    },
  ],
  ['enum', 'be one of', (values: readonly unknown[]) => (value) => values.includes(value)],
  ['maximum', 'be <=', (limit) => (value) => value <= limit],
  ['minimum', 'be >=', (limit) => (value) => value >= limit],
  [
    'maxItems',
    'have a length <=',
    (limit) =>
      ({ length }: []) =>
        length <= limit,
  ],
  [
    'minItems',
    'have a length >=',
    (limit) =>
      ({ length }: []) =>
        length >= limit,
  ],
]
type Test = (value: unknown) => boolean

function compile(schema: JsonSchema): Check {
  const { items, anyOf } = schema
  const checks: Check[] = []
  for (const [keyword, text, test] of rules) {
    const limit = schema[keyword]
    if (limit === undefined) continue
    const isGood = test(limit as never)
    checks.push((value) =>
      isGood(value)
        ? undefined
        : { instancePath: '', keyword, limit, message: `must ${text} ${String(limit)}` },
    )
  }
  if (items) {
    const check = compile(items)
    checks.push((list: never[]) => {
      for (const [index, value] of list.entries()) {
        const error = check(value)
        if (error) return within(index, error)
      }
      return undefined
    })
  }
  if (schema.properties) checks.push(checkFields(schema))
  if (anyOf) {
    const branches = anyOf.map(compile)
    checks.push((value) => {
      const messages = []
      for (const check of branches) {
        const error = check(value)
        if (!error) return undefined
        messages.push(error.message)
      }
      return { instancePath: '', keyword: 'anyOf', message: messages.join(' or ') }
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
      if (!field) {
        if (additionalProperties !== false) continue
        return { instancePath: `/${name}`, keyword: 'additionalProperties', message: 'is unknown' }
      }
      if (value === undefined) continue
      const error = field.check(value)
      if (error) return within(name, error)
      missing -= field.needed
    }
    if (missing === 0) return undefined
    const absent = required.find((name) => object[name] === undefined)
    return { instancePath: `/${absent}`, keyword: 'required', message: 'is required' }
  }
}

function within(name: string | number, error: ValidationError): ValidationError {
  return { ...error, instancePath: `/${name}${error.instancePath}` }
}
