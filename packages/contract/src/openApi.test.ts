import { Ajv } from 'ajv'
import { describe, expect, it } from 'vitest'
import type { ObjectSchema } from './JsonSchema.ts'
import { operations } from './operations.ts'
import { describeSupportedChains, openApi } from './schemas.ts'
import { wireName } from './wireName.ts'

describe('openApi', () => {
  const document = openApi({ version: '1.2.3', servers: ['https://api.example'] })
  const operation = document.paths['/v1/evm/balances/{address}']!.get

  it('describes every operation at its path, with the parameter names of the wire', () => {
    const ids = Object.values(document.paths).map(({ get }) => get.operationId)
    expect(ids).toEqual(expect.arrayContaining(Object.keys(operations)))
    expect(new Set(ids).size).toBe(ids.length)
    expect(operation.operationId).toBe('balances')
    expect(
      operation.parameters.map(({ name, in: place, required }) => `${name} ${place} ${required}`),
    ).toEqual([
      'address path true',
      'chain_ids query false',
      'filters query false',
      'metadata query false',
      'exclude_spam_tokens query false',
      'historical_prices query false',
      'offset query false',
      'limit query false',
    ])
  })

  it('describes arrays as comma-separated values', () => {
    const historical = operation.parameters.find(({ name }) => name === 'historical_prices')
    expect(historical).toMatchObject({ style: 'form', explode: false, schema: { maxItems: 3 } })
  })

  it('contains no keyword that OpenAPI does not define', () => {
    expect(JSON.stringify(document)).not.toMatch(/tsType|patternText|alwaysSent/)
  })

  it('requires the fields that the specification requires, also those that clients do not', () => {
    const schemaOf = (path: string) =>
      (document.paths[path]!.get.responses as Record<string, object>)[200] as {
        content: { 'application/json': { schema: ObjectSchema } }
      }
    const requiredOf = (path: string, itemsField: string) => {
      const { schema } = schemaOf(path).content['application/json']
      return [schema.required, schema.properties[itemsField]?.items?.required]
    }
    expect(requiredOf('/v1/evm/collectibles/{address}', 'entries')).toEqual([
      ['address', 'entries', 'request_time', 'response_time'],
      [
        'contract_address',
        'token_id',
        'chain_id',
        'token_standard',
        'chain',
        'balance',
        'last_acquired',
      ],
    ])
    expect(requiredOf('/v1/evm/token-holders/{chain_id}/{address}', 'holders')).toEqual([
      ['token_address', 'chain_id', 'holders', 'next_offset'],
      ['wallet_address', 'balance'],
    ])
    expect(requiredOf('/v1/evm/balances/{address}', 'balances')).toEqual([
      ['wallet_address', 'balances'],
      ['chain_id', 'address', 'amount', 'chain'],
    ])
    expect(requiredOf('/v1/evm/token-info/{address}', 'tokens')).toEqual([
      ['contract_address', 'tokens'],
      ['chain_id', 'chain'],
    ])
  })

  it('has examples that its schemas accept', () => {
    const ajv = new Ajv({ strict: false, validateFormats: false })
    const invalid: unknown[] = []
    JSON.stringify(document, (_key, value: unknown) => {
      const { examples, ...schema } = (value ?? {}) as { examples?: unknown }
      if (Array.isArray(examples)) {
        invalid.push(...examples.filter((example) => !ajv.validate(schema, example)))
      }
      return value
    })
    expect(invalid).toEqual([])
  })

  it('describes the headers of every response', () => {
    const responses = operation.responses as Record<
      string,
      { headers: Record<string, { $ref: string }> }
    >
    const names = (status: number) => {
      const headers = responses[status]?.headers ?? {}
      for (const [name, { $ref }] of Object.entries(headers)) {
        expect($ref).toBe(`#/components/headers/${name}`)
        expect(document.components.headers[name]?.description).toMatch(/\w/)
      }
      return Object.keys(headers)
    }
    const all = [
      'X-Request-Id',
      'X-Compute-Units-Cost',
      'X-Compute-Units-Remaining',
      'X-RateLimit-Limit',
      'X-RateLimit-Remaining',
      'X-RateLimit-Reset',
    ]
    expect(names(200)).toEqual([
      ...all,
      'X-Block-Numbers',
      'ETag',
      'X-Public-Url',
      'X-Changes-Path',
    ])
    expect(names(304)).toEqual(names(200))
    expect(names(400)).toEqual(all)
    expect(names(403)).toEqual(all)
    expect(names(401)).toEqual(all.slice(0, 2))
    expect(names(429)).toEqual([...all, 'Retry-After'])
    expect(names(503)).toEqual(names(429))
    expect(responses[304]).not.toHaveProperty('content')
  })

  it('describes authentication and the error body', () => {
    expect(document.components.securitySchemes.apiKey).toEqual({
      type: 'apiKey',
      in: 'header',
      name: 'X-Service-Api-Key',
    })
    expect(document.components.schemas.Error.required).toEqual([
      'error',
      'message',
      'code',
      'request_id',
    ])
  })
})

describe('describeSupportedChains', () => {
  it('has an entry for every operation except the balance of one token, a part of balances', () => {
    const { chains } = describeSupportedChains([{ id: 7, name: 'seven', tags: ['default'] }])
    const { tokenBalance: _, ...listed } = operations
    const entries = Object.keys(listed).map((name) => [wireName(name), { supported: true }])
    expect(chains).toEqual([
      { name: 'seven', chain_id: 7, tags: ['default'], ...Object.fromEntries(entries) },
    ])
    expect(chains[0]).toHaveProperty('token_holders')
  })
})
