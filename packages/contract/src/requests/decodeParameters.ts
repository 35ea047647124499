import type { JsonSchema, ObjectSchema } from '../JsonSchema.ts'
import { wireName } from '../wireName.ts'
import { InvalidRequestError } from './InvalidRequestError.ts'

/** What has to be known of an operation to read its parameters. */
export interface DeclaredParameters {
  /** Names of those that travel in the query. */
  readonly query: readonly string[]
  readonly schema: { readonly parameters: ObjectSchema }
}

/** Parameters whose values are a set: one that comes again says nothing new. */
const sets = new Set(['chainIds'])

/**
 * Reads the parameters of an operation from a request, by what its schema says of each. A text that is not what the
 * schema wants stays a text, so that validation finds and names it. What is not declared is ignored.
 *
 * @param operation - What it declares.
 * @param fromPath - Those of its path, by name.
 * @param fromQuery - The query of the request.
 * @returns The parameters by name, not yet validated.
 * @throws {InvalidRequestError} 400 when a parameter is given twice.
 * @example
 * import { decodeParameters, operations } from '@headwater/contract/schemas'
 * const { searchParams } = new URL('https://example.org/v1/evm/balances/0xd8?chain_ids=1,8453')
 * decodeParameters(operations.balances, { address: '0xd8' }, searchParams)
 */
export function decodeParameters(
  { query, schema }: DeclaredParameters,
  fromPath: Readonly<Record<string, string>>,
  fromQuery: URLSearchParams,
): Record<string, unknown> {
  const decoded: Record<string, unknown> = {}
  for (const [name, declared] of Object.entries(schema.parameters.properties)) {
    const param = wireName(name)
    const texts = query.includes(name) ? fromQuery.getAll(param) : [fromPath[name] ?? '']
    const [text, ...others] = texts
    if (others.length > 0)
      throw new InvalidRequestError(400, 'REPEATED_PARAMETER', `${param} is given twice`, param)
    if (text === undefined) continue
    const value = decode(text, declared)
    decoded[name] = sets.has(name) && Array.isArray(value) ? [...new Set(value)] : value
  }
  return decoded
}

function decode(text: string, schema: JsonSchema): unknown {
  if (schema.type === 'array')
    return text.split(',').map((part) => decode(part.trim(), schema.items ?? {}))
  const types = (schema.anyOf ?? [schema]).flatMap(({ type }) => type ?? [])
  if (types.includes('integer') && /^[+-]?\d+$/.test(text)) return Number(text)
  if (types.includes('boolean') && (text === 'true' || text === 'false')) return text === 'true'
  return text
}
