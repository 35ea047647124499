import { changesSchemas } from './changes/schema.ts'
import { API_KEY_HEADER, CHANGES_PATH } from './constants.ts'
import type { JsonSchema, ObjectSchema } from './JsonSchema.ts'
import {
  errorHeaders,
  headers,
  referenceHeaders,
  successHeaders,
  withKey,
} from './openApiHeaders.ts'
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
    paths: withoutOwnKeywords({
      ...otherPaths,
      ...Object.fromEntries(
        (Object.keys(operations) as OperationName[]).map((name) => [
          toWirePath(operations[name].path),
          { get: describeOperation(name) },
        ]),
      ),
      [CHANGES_PATH as string]: { get: describeChanges() },
    }),
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

function describeOperation(name: OperationName): {
  operationId: string
  summary: string
  parameters: ReturnType<typeof describeParameters>
  responses: Record<string, object>
} {
  const { summary, parameters, response } = operationSchemas[name]
  return {
    operationId: name,
    summary,
    parameters: describeParameters(parameters, operations[name].queryParameters),
    responses: {
      200: {
        description: 'Success.',
        headers: referenceHeaders(successHeaders),
        content: json(response),
      },
      304: {
        description: 'The response that `If-None-Match` names is current. Costs the same units.',
        headers: referenceHeaders(successHeaders),
      },
      ...describeErrors(),
    },
  }
}

function describeChanges(): ReturnType<typeof describeOperation> {
  const { summary, parameters, item, response } = changesSchemas
  const header = (name: string, description: string) => ({
    name,
    in: 'header',
    required: false,
    description,
    schema: { type: 'string' },
  })
  const polled = {
    type: 'object',
    properties: {
      last_event_id: { type: 'string', description: 'The position after the events.' },
      chains: { type: 'array', items: item },
      events: { type: 'array', items: response },
    },
    required: ['last_event_id', 'chains', 'events'],
  }
  const content = {
    'text/event-stream': { schema: response },
    ...json(polled),
  }
  return {
    operationId: 'changes',
    summary,
    parameters: [
      ...describeParameters(parameters, Object.keys(parameters.properties)),
      header('Last-Event-ID', 'The position of the latest event that the client has received.'),
      header(
        'Prefer',
        '`wait=30` for one JSON response once there are events, or after 30 s, at most 50; without `Last-Event-ID` at once, with the position.',
      ),
    ],
    responses: {
      200: {
        description:
          'A stream of events, whose data is as in the schema; with `Prefer: wait` one JSON response.',
        headers: referenceHeaders(withKey),
        content,
      },
      ...describeErrors(),
    },
  }
}

function describeParameters(
  { properties, required = [] }: ObjectSchema,
  inQuery: readonly string[],
): { name: string; in: string; required: boolean; description?: string; schema: object }[] {
  return Object.entries(properties).map(([parameter, { description, ...schema }]) => ({
    name: wireName(parameter),
    in: inQuery.includes(parameter) ? 'query' : 'path',
    required: required.includes(parameter),
    ...(description && { description }),
    // An array is one comma-separated value.
    ...(schema.type === 'array' && { style: 'form', explode: false }),
    schema,
  }))
}

function describeErrors() {
  return Object.fromEntries(
    Object.entries(errors).map(([status, description]) => [
      status,
      {
        description,
        headers: referenceHeaders(errorHeaders(status)),
        content: json({ $ref: '#/components/schemas/Error' }),
      },
    ]),
  )
}

function json(schema: object): Record<string, { schema: object }> {
  return { 'application/json': { schema } }
}

/** Schemas without the keywords that JSON Schema does not define. */
function withoutOwnKeywords<Schemas extends object>(schemas: Schemas): Schemas {
  return JSON.parse(
    JSON.stringify(schemas, (key, value: unknown) =>
      key === 'tsType' || key === 'patternText' ? undefined : requireAlwaysSent(value),
    ),
  ) as Schemas
}

function requireAlwaysSent(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('alwaysSent' in value)) {
    return value
  }
  const { alwaysSent = [], required = [], ...schema } = value as JsonSchema
  return { ...schema, required: [...required, ...alwaysSent] }
}
