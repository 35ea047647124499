import { wireName } from '@headwater/contract'
import type { JsonSchema } from '@headwater/contract/schemas'
import { RefusalError } from '../operations/RefusalError.ts'
import type { Registration } from '../operations/register.ts'

/** Parameters whose values are a set: one that comes again says nothing new. */
const sets = new Set(['chainIds'])

/**
 * Reads the parameters of an operation from a request, by what its schema says of each. A text that is not what the
 * schema wants stays a text, so that validation finds and names it. Parameters that the operation does not declare
 * are ignored.
 *
 * @throws {RefusalError} 400 when a parameter is given twice.
 */
export function decodeParameters(
  { parameters, query }: Registration,
  fromPath: Readonly<Record<string, string>>,
  fromQuery: URLSearchParams,
): Record<string, unknown> {
  const inQuery = new Set(query)
  const decoded: Record<string, unknown> = {}
  for (const [name, schema] of Object.entries(parameters.properties)) {
    const texts = inQuery.has(name) ? fromQuery.getAll(wireName(name)) : [fromPath[name] ?? '']
    const [text, ...others] = texts
    if (others.length > 0)
      throw new RefusalError(400, 'REPEATED_PARAMETER', `${wireName(name)} is given twice`, {
        param: wireName(name),
      })
    if (text === undefined) continue
    const value = decode(text, schema)
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
