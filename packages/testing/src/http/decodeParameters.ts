import { wireName } from '@headwater/contract'
import type { JsonSchema } from '@headwater/contract/schemas'
import type { FakeOperation } from '../operations/FakeOperation.ts'
import { RefusalError } from './RefusalError.ts'

/** Parameters whose values are a set: one that comes again says nothing new. */
const sets = new Set(['chainIds'])

/**
 * Reads the parameters of an operation from a request, by what its schema says of each. A text that is not what the
 * schema wants stays a text, so that validation finds and names it. What is not declared is ignored.
 *
 * @throws {RefusalError} 400 when a parameter is given twice.
 */
export function decodeParameters(
  { query, schema }: Pick<FakeOperation, 'query' | 'schema'>,
  fromPath: Readonly<Record<string, string>>,
  fromQuery: URLSearchParams,
): Record<string, unknown> {
  const decoded: Record<string, unknown> = {}
  for (const [name, declared] of Object.entries(schema.parameters.properties)) {
    const param = wireName(name)
    const texts = query.includes(name) ? fromQuery.getAll(param) : [fromPath[name] ?? '']
    const [text, ...others] = texts
    if (others.length > 0)
      throw new RefusalError(400, 'REPEATED_PARAMETER', `${param} is given twice`, { param })
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
