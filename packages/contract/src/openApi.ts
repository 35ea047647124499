import { API_KEY_HEADER } from './constants.ts'
import type { JsonSchema } from './JsonSchema.ts'
import { errorHeaders, headers, referenceHeaders, successHeaders } from './openApiHeaders.ts'
import { otherPaths } from './openApiOtherPaths.ts'
import { type OperationName, operations } from './operations.ts'
import { operationSchemas } from './operationSchemas.ts'
import { wireName } from './wireName.ts'

const errors = {
  400: 'A parameter is malformed or out of range; `param` names it.',
  401: 'The API key is missing, unknown, revoked or expired.',
  402: "The API key's compute units are used up.",
  403: 'The API key was issued for another purpose.',
  404: 'The path, chain or token does not exist.',
  414: 'The URL of the request is too long.',
  429: "The API key's rate limit is exceeded; retry after `Retry-After`.",
  500: 'Internal error.',
  503: 'Temporarily unavailable; retry after `Retry-After`.',
}

/**
 * The API as an OpenAPI 3.1 document.
 *
 * @param options - `version` of the service, and `servers` if known.
 * @returns A plain object, ready for JSON.
 * @example
 * import { openApi } from '@headwater/contract/schemas'
 * const document = openApi({ version: '1.0.0' })
 */
export function openApi({ version, servers }: { version: string; servers?: readonly string[] }) {
  return {
    openapi: '3.1.0',
    info: { title: 'Headwater', version, description: 'Live onchain data of EVM chains.' },
    ...(servers && { servers: servers.map((url) => ({ url })) }),
    security: [{ apiKey: [] }],
    paths: {
      ...otherPaths,
      ...Object.fromEntries(
        (Object.keys(operations) as OperationName[]).map((name) => [
          toWirePath(operations[name].path),
          { get: describeOperation(name) },
        ]),
      ),
    },
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
    error: { type: 'string', description: 'Human-readable message.' },
    message: { type: 'string', description: 'The same message.' },
    code: { type: 'string', description: 'Stable error code.' },
    param: { type: 'string', description: 'The invalid parameter.' },
    request_id: { type: 'string', description: 'Id of the request, as in `X-Request-Id`.' },
  },
  required: ['error', 'message', 'code', 'request_id'],
}

function toWirePath(path: string): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => `{${wireName(name)}}`)
}

function describeOperation(name: OperationName) {
  const { summary, parameters, response } = operationSchemas[name]
  const query = new Set<string>(operations[name].queryParameters)
  const required = new Set<string>(parameters.required)
  const properties: Readonly<Record<string, JsonSchema>> = parameters.properties
  return {
    operationId: name,
    summary,
    parameters: Object.entries(properties).map(([parameter, { description, ...schema }]) => ({
      name: wireName(parameter),
      in: query.has(parameter) ? 'query' : 'path',
      required: required.has(parameter),
      ...(description && { description }),
      // An array is one comma-separated value.
      ...(schema.type === 'array' && { style: 'form', explode: false }),
      schema: withoutTypeHints(schema),
    })),
    responses: {
      200: {
        description: 'Success.',
        headers: referenceHeaders(successHeaders),
        content: json(withoutTypeHints(response)),
      },
      304: {
        description: 'The response that `If-None-Match` names is current. Costs the same units.',
        headers: referenceHeaders(successHeaders),
      },
      ...Object.fromEntries(
        Object.entries(errors).map(([status, description]) => [
          status,
          {
            description,
            headers: referenceHeaders(errorHeaders(status)),
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

/** The schema without the keyword that only the type generator reads. */
function withoutTypeHints(schema: JsonSchema): object {
  return JSON.parse(
    JSON.stringify(schema, (key, value: unknown) => (key === 'tsType' ? undefined : value)),
  ) as object
}
