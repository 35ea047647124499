import type { JsonSchema } from './JsonSchema.ts'

/** The first rule of a schema that a value violates. */
export interface ValidationError {
  /** JSON pointer, such as `/historicalPrices/0`, also to a missing or unknown field; empty for the value itself. */
  readonly instancePath: string
  /** JSON Schema keyword: `pattern`, `minimum`, `additionalProperties`, … */
  readonly keyword: string
  /** Value of the keyword: the limit of `minimum`, the values of `enum`. */
  readonly limit?: unknown
  /** Human-readable rule: `must be >= 1`. */
  readonly message: string
}

/** Type guard that keeps the reason for its latest rejection. */
export interface Validator<T> {
  (value: unknown): value is T
  /** The first rule that the latest value violates; undefined if it is valid. */
  error?: ValidationError | undefined
}

/** Returns what is wrong with a value. The value already has the type that its schema names. */
type Check = (value: never) => ValidationError | undefined

/**
 * Creates a validator for the keywords of {@link JsonSchema}; a schema also has a `type`. Small rather than general, as browsers
 * download it. Compiles on first use, to closures instead of code, which a content security policy may forbid.
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

/** Keyword, its wording in messages, and the test of a value against the keyword's value. */
const rules: readonly [keyof JsonSchema, string, (limit: never) => (value: never) => boolean][] = [
  [
    'type',
    'be of type',
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
      return (value: unknown) => typeof value !== 'string' || expression.test(value)
    },
  ],
  ['enum', 'be', (values: readonly unknown[]) => (value) => values.includes(value)],
  [
    'maximum',
    'be <=',
    (limit: number) => (value: unknown) => typeof value !== 'number' || value <= limit,
  ],
  [
    'minimum',
    'be >=',
    (limit: number) => (value: unknown) => typeof value !== 'number' || value >= limit,
  ],
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
  const { items, patternText } = schema
  const checks: Check[] = []
  for (const [keyword, text, test] of rules) {
    const limit = schema[keyword]
    if (limit === undefined) {
      continue
    }
    const passes = test(limit as never)
    const rule =
      keyword === 'pattern' && patternText
        ? `be ${patternText}`
        : `${text} ${[limit].flat().join(' or ')}`
    checks.push((value) =>
      passes(value) ? undefined : { instancePath: '', keyword, limit, message: `must ${rule}` },
    )
  }
  if (items) {
    const check = compile(items)
    checks.push((list: never[]) => {
      for (const [index, value] of list.entries()) {
        const error = check(value)
        if (error) {
          return within(index, error)
        }
      }
      return undefined
    })
  }
  if (schema.properties) {
    checks.push(checkFields(schema))
  }
  // Nested calls rather than a loop: most values have one or two checks.
  return checks.reduce((one, other) => (value) => one(value) ?? other(value))
}

/** Iterates over the fields that are present rather than those that are declared, which is the fastest way to read an object. */
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
        if (additionalProperties !== false) {
          continue
        }
        return { instancePath: `/${name}`, keyword: 'additionalProperties', message: 'is unknown' }
      }
      if (value === undefined) {
        continue
      }
      const error = field.check(value)
      if (error) {
        return within(name, error)
      }
      missing -= field.needed
    }
    if (missing === 0) {
      return undefined
    }
    const absent = required.find((name) => object[name] === undefined)
    return { instancePath: `/${absent}`, keyword: 'required', message: 'is required' }
  }
}

function within(name: string | number, error: ValidationError): ValidationError {
  return { ...error, instancePath: `/${name}${error.instancePath}` }
}
