import type { JsonSchema } from '../JsonSchema.ts'
import { type OperationName, operations } from '../operations.ts'
import { operationSchemas } from '../operationSchemas.ts'
import { wireName } from '../wireName.ts'
import { InvalidRequestError } from './InvalidRequestError.ts'

/** Parameters whose values are a set: duplicates collapse. */
const sets = new Set(['chainIds'])

/**
 * Decodes the parameters of a request according to the schema of its operation. Text that does not match the schema stays
 * text, so that validation rejects it by name. Undeclared parameters are ignored.
 *
 * @param name - The operation.
 * @param fromPath - Path parameters, by name.
 * @param fromQuery - Query of the request.
 * @returns Parameters by name, not yet validated.
 * @throws {InvalidRequestError} 400 when a parameter is repeated.
 * @example
 * import { decodeParameters } from '@headwater/contract/schemas'
 * const { searchParams } = new URL('https://example.org/v1/evm/balances/0xd8?chain_ids=1,8453')
 * decodeParameters('balances', { address: '0xd8' }, searchParams)
 */
export function decodeParameters(
  name: OperationName,
  fromPath: Readonly<Record<string, string>>,
  fromQuery: URLSearchParams,
): Record<string, unknown> {
  const queryParameters: readonly string[] = operations[name].queryParameters
  const { properties } = operationSchemas[name].parameters
  const isInPath = (parameter: string) => !queryParameters.includes(parameter)
  return decodeQuery(properties, fromQuery, (parameter) =>
    isInPath(parameter) ? [fromPath[parameter] ?? ''] : undefined,
  )
}

/**
 * Decodes the parameters that schemas declare.
 *
 * @param getTexts - Returns the texts of a parameter that is not in the query.
 * @throws {InvalidRequestError} 400 when a parameter is repeated.
 */
export function decodeQuery(
  properties: Readonly<Record<string, JsonSchema>>,
  query: URLSearchParams,
  getTexts: (parameter: string) => readonly string[] | undefined = () => undefined,
): Record<string, unknown> {
  const decoded: Record<string, unknown> = {}
  for (const [parameter, schema] of Object.entries(properties)) {
    const param = wireName(parameter)
    const [text, ...others] = getTexts(parameter) ?? query.getAll(param)
    if (others.length > 0) {
      throw new InvalidRequestError(400, 'REPEATED_PARAMETER', `${param} is given twice`, param)
    }
    if (text === undefined) {
      continue
    }
    const value = decode(text, schema)
    decoded[parameter] = sets.has(parameter) && Array.isArray(value) ? [...new Set(value)] : value
  }
  return decoded
}

function decode(text: string, schema: JsonSchema): unknown {
  if (schema.type === 'array') {
    return text.split(',').map((part) => decode(part.trim(), schema.items ?? {}))
  }
  const types: readonly unknown[] = [schema.type].flat()
  if (types.includes('integer') && /^[+-]?\d+$/.test(text)) {
    return Number(text)
  }
  if (types.includes('boolean') && (text === 'true' || text === 'false')) {
    return text === 'true'
  }
  return text
}
