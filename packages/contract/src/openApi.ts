import { API_KEY_HEADER } from './apiKeyHeader.ts'
import type { JsonSchema, ObjectSchema } from './JsonSchema.ts'
import { answerHeaders, headers, headersOf, refusalHeaders } from './openApiHeaders.ts'
import { wireName } from './wireName.ts'

interface Documented {
  readonly name: string
  readonly path: string
  readonly query: readonly string[]
  readonly summary: string
  readonly schema: { readonly parameters: ObjectSchema; readonly response: ObjectSchema }
}

const refusals = {
  400: 'A malformed or out-of-range parameter; `param` names it.',
  401: 'No key, or a key that is unknown, revoked or expired.',
  402: "The key's compute units are used up.",
  403: 'The key was issued for another purpose.',
  404: 'No such path, chain or token.',
  414: 'The URL of the request is too long.',
  429: "The key's rate is exceeded; `Retry-After` says when to come back.",
  500: 'A fault of the service.',
  503: 'The service cannot answer now; `Retry-After` says when to come back.',
}

/**
 * The API as an OpenAPI 3.1 document, made from the declarations.
 *
 * @param operations - The operations that the service answers.
 * @param options - `version` of the service, and `servers` if known.
 * @returns A plain object, ready for JSON.
 * @example
 * import { openApi, operations } from '@headwater/contract/schemas'
 * const document = openApi(Object.values(operations), { version: '1.0.0' })
 */
export function openApi(
  operations: readonly Documented[],
  { version, servers }: { version: string; servers?: readonly string[] },
) {
  return {
    openapi: '3.1.0',
    info: { title: 'Headwater', version, description: 'Live onchain data of EVM chains.' },
    ...(servers && { servers: servers.map((url) => ({ url })) }),
    security: [{ apiKey: [] }],
    paths: Object.fromEntries(
      operations.map((operation) => [wirePath(operation.path), { get: get(operation) }]),
    ),
    components: {
      securitySchemes: { apiKey: { type: 'apiKey', in: 'header', name: API_KEY_HEADER } },
      headers,
      schemas: { Error: error },
    },
  }
}

const error = {
  type: 'object',
  properties: {
    error: { type: 'string', description: 'A sentence for people.' },
    message: { type: 'string', description: 'The same sentence.' },
    code: { type: 'string', description: 'For programs.' },
    param: { type: 'string', description: 'The parameter that is wrong.' },
    request_id: { type: 'string', description: 'Id of the request, as in `X-Request-Id`.' },
  },
  required: ['error', 'message', 'code', 'request_id'],
}

function wirePath(path: string): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => `{${wireName(name)}}`)
}

function get({ name, summary, query, schema }: Documented) {
  const inQuery = new Set(query)
  const required = new Set(schema.parameters.required)
  return {
    operationId: name,
    summary,
    parameters: Object.entries(schema.parameters.properties).map(
      ([parameter, { description, ...rest }]) => ({
        name: wireName(parameter),
        in: inQuery.has(parameter) ? 'query' : 'path',
        required: required.has(parameter),
        ...(description && { description }),
        // A list is one value with commas.
        ...(rest.type === 'array' && { style: 'form', explode: false }),
        schema: forReaders(rest),
      }),
    ),
    responses: {
      200: {
        description: 'The answer.',
        headers: headersOf(answerHeaders),
        content: json(forReaders(schema.response)),
      },
      304: {
        description: 'What `If-None-Match` names still holds. It costs the same units.',
        headers: headersOf(answerHeaders),
      },
      ...Object.fromEntries(
        Object.entries(refusals).map(([status, description]) => [
          status,
          {
            description,
            headers: headersOf(refusalHeaders(status)),
            content: json({ $ref: '#/components/schemas/Error' }),
          },
        ]),
      ),
    },
  }
}

function json(schema: object) {
  return { 'application/json': { schema } }
}

/** The schema without the hints for type generators. */
function forReaders(schema: JsonSchema): object {
  return JSON.parse(
    JSON.stringify(schema, (key, value: unknown) => (key === 'tsType' ? undefined : value)),
  ) as object
}
