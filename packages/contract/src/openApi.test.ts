import { describe, expect, it } from 'vitest'
import { openApi, operations } from './schemas.ts'

describe('openApi', () => {
  const document = openApi(Object.values(operations), {
    version: '1.2.3',
    servers: ['https://api.example'],
  })
  const operation = document.paths['/v1/evm/balances/{address}']!.get

  it('describes each operation at its path with the names of the wire', () => {
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

  it('says that lists travel with commas', () => {
    const historical = operation.parameters.find(({ name }) => name === 'historical_prices')
    expect(historical).toMatchObject({ style: 'form', explode: false, schema: { maxItems: 3 } })
  })

  it('holds nothing that OpenAPI does not know', () => {
    expect(JSON.stringify(document)).not.toContain('tsType')
  })

  it('tells the headers of every answer, and which of them a refusal has', () => {
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
    expect(names(200)).toEqual([...all, 'X-Block-Numbers', 'ETag'])
    expect(names(304)).toEqual(names(200))
    expect(names(400)).toEqual(all)
    expect(names(401)).toEqual(all.slice(0, 2))
    expect(names(429)).toEqual([...all, 'Retry-After'])
    expect(names(503)).toEqual(names(429))
    expect(operation.responses[304]).not.toHaveProperty('content')
  })

  it('tells how a key is sent and how a refusal looks', () => {
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
