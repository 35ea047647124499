import { operations } from '@headwater/contract'
import type { openApi } from '@headwater/contract/schemas'

/** The parts of a JSON Schema that the page shows. */
interface Schema {
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly enum?: readonly unknown[]
  readonly minimum?: number
  readonly maximum?: number
  readonly default?: unknown
  readonly description?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly oneOf?: readonly Schema[]
  readonly anyOf?: readonly Schema[]
  readonly examples?: readonly unknown[]
}

interface Parameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly description?: string
  readonly schema?: Schema
}

interface Reply {
  readonly description: string
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>
}

interface Endpoint {
  readonly operationId: string
  readonly summary: string
  readonly parameters?: readonly Parameter[]
  readonly responses: Readonly<Record<string, Reply>>
}

const cell = (text: string) =>
  text.replaceAll('|', '\\|').replaceAll('\n', ' ').replaceAll('<', '&lt;')

function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  return [header, header.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n')
}

function describeType({ type, format, enum: values, items, oneOf, anyOf }: Schema): string {
  const variants = oneOf ?? anyOf
  if (variants) {
    return variants.map(describeType).join(' or ')
  }
  if (values) {
    return values.map((value) => `\`${String(value)}\``).join(', ')
  }
  if (items) {
    return `array of ${describeType(items)}`
  }
  return [[type ?? 'any'].flat().join(' or '), format].filter(Boolean).join(', ')
}

function describeRules({ description = '', minimum, maximum, default: standard }: Schema): string {
  const rules = [
    minimum !== undefined && `at least ${minimum}`,
    maximum !== undefined && `at most ${maximum}`,
    standard !== undefined && `default ${JSON.stringify(standard)}`,
  ].filter((rule) => rule !== false)
  return cell([description, rules.length > 0 ? `(${rules.join(', ')})` : ''].join(' ').trim())
}

/** The fields of a response, those of its objects by their path. */
function describeFields(schema: Schema, prefix = ''): string[][] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const inner = field.items ?? field
    const path = `${prefix}${name}${field.items ? '[]' : ''}`
    const presence = schema.required?.includes(name) ? 'always' : 'optional'
    return [
      [`\`${path}\``, cell(describeType(field)), presence, describeRules(field)],
      ...describeFields(inner, `${path}.`),
    ]
  })
}

function describeEndpoint(path: string, { summary, parameters = [], responses }: Endpoint): string {
  const schema = responses['200']?.content?.['application/json']?.schema
  const fields = schema ? describeFields(schema) : []
  const example = schema?.examples?.[0]
  return [
    `## ${summary}`,
    `\`GET ${path}\``,
    parameters.length > 0 &&
      table(
        ['parameter', 'in', 'type', 'required', 'description'],
        parameters.map((each) => [
          `\`${each.name}\``,
          each.in,
          cell(describeType(each.schema ?? {})),
          each.required ? 'yes' : 'no',
          describeRules({
            ...each.schema,
            ...(each.description && { description: each.description }),
          }),
        ]),
      ),
    example !== undefined && `\`\`\`json\n${JSON.stringify(example, undefined, 2)}\n\`\`\``,
    fields.length > 0 && table(['field of the response', 'type', 'present', 'description'], fields),
    `Statuses: ${Object.keys(responses)
      .map((status) => `\`${status}\``)
      .join(', ')}.`,
  ]
    .filter((part) => part !== false)
    .join('\n\n')
}

/**
 * The page of the HTTP API, from its OpenAPI document.
 *
 * @param document - The document that the service serves as `/openapi.json`.
 * @returns Markdown.
 */
export function describeHttp(document: ReturnType<typeof openApi>): string {
  const paths = Object.entries(document.paths as unknown as Record<string, { get: Endpoint }>)
  const isOperation = ([, { get }]: (typeof paths)[number]) => get.operationId in operations
  const sorted = [...paths.filter(isOperation), ...paths.filter((entry) => !isOperation(entry))]
  const statuses = new Map(
    sorted.flatMap(([, { get }]) =>
      Object.entries(get.responses).map(([status, { description }]) => [status, description]),
    ),
  )
  const headers = document.components.headers as Readonly<Record<string, { description?: string }>>
  return `# HTTP API

All requests are \`GET\`. The API key is the header \`X-Service-Api-Key\`. An array is one value, separated by commas. This request works with the
[service to develop with](/start/#a-service-to-develop-with):

\`\`\`sh
curl --header "X-Service-Api-Key: test-key" "http://127.0.0.1:4000/v1/evm/balances/0xd8da6bf26964af9d7eed9e03e53415d37aa96045?chain_ids=1,8453&limit=2"
\`\`\`

Amounts are strings in smallest units: divide by 10 to the power of \`decimals\`. Pass \`next_offset\` as \`offset\` to get the next page. A service
serves this page as a document in OpenAPI 3.1, too: \`/openapi.json\`.

${sorted.map(([path, { get }]) => describeEndpoint(path, get)).join('\n\n')}

## Headers

${table(
  ['header', 'description'],
  Object.entries(headers).map(([name, { description = '' }]) => [`\`${name}\``, cell(description)]),
)}

## Statuses

${table(
  ['status', 'meaning'],
  [...statuses]
    .filter(([status]) => Number(status) >= 400)
    .map(([status, text]) => [`\`${status}\``, cell(text)]),
)}

An error is \`{ error, message, code, param, request_id }\`: \`code\` is stable, \`param\` names the invalid parameter.
`
}
