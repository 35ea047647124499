import { expect, it } from 'vitest'
import { parseResponses } from './parseResponses.ts'

const call = { method: 'eth_call', params: [] }

/** Parses a response to as many calls. */
function parse(count: number, body: unknown) {
  const bytes = Buffer.from(JSON.stringify(body))
  const response = { status: 200, body: bytes, retryAfterMs: undefined }
  return parseResponses(response, new Array<typeof call>(count).fill(call), 0, (text) => text)
}

it.each([
  [-32029, 'Rate limit exceeded'],
  [-32016, 'over rate limit'],
  [-32000, '429 Too Many Requests: {"code":-32016,"message":"over rate limit"}'],
  [-32007, '50/second request limit reached - reduce calls per second or upgrade your account'],
  [-32005, 'limit exceeded'],
  [-32005, 'daily request count exceeded, request rate limited'],
  [429, 'Your app has exceeded its compute units per second capacity'],
])('takes the error %j %j for a rate limit, after which a request is repeated', (code, message) => {
  const [response] = parse(1, [{ id: 0, error: { code, message } }])
  expect(response?.error).toMatchObject({ kind: 'rate-limit', retryable: true })
})

it('takes the text of a contract that reverts for no rate limit', () => {
  for (const code of [3, -32000]) {
    const message = 'execution reverted: rate limit exceeded'
    const [response] = parse(1, [{ id: 0, error: { code, message } }])
    expect(response?.error).toMatchObject({ kind: 'reverted', retryable: false })
  }
})

it('states that redirects are not followed', () => {
  const response = { status: 308, body: Buffer.from('<html>'), retryAfterMs: undefined }
  expect(() => parseResponses(response, [call], 0, (text) => text)).toThrow(
    'HTTP status 308, and redirects are not followed: correct its URL',
  )
})

it('states that a response is not JSON, such as the page of another server', () => {
  const response = { status: 200, body: Buffer.from('<html>'), retryAfterMs: undefined }
  const [parsed] = parseResponses(response, [call], 0, (text) => text)
  expect(parsed?.error).toMatchObject({
    message: 'eth_call: the response is not JSON',
    kind: 'malformed',
  })
})

it('rejects all requests of a batch that is too large, also by an error with the id of the first one', () => {
  const error = { code: -32600, message: 'batch too large' }
  expect(() => parse(2, [{ id: 0, error }])).toThrow('batch too large')
  const ofNethermind = { code: -32005, message: 'Batch size limit exceeded' }
  expect(() => parse(2, { id: null, error: ofNethermind })).toThrow(
    expect.objectContaining({ kind: 'rejected' }) as Error,
  )
  const reverted = { code: 3, message: 'execution reverted' }
  const responses = parse(2, [{ id: 0, error: reverted }])
  expect(responses.map((response) => response.error?.kind)).toEqual(['reverted', 'malformed'])
})

it('rejects two responses to one request, and the response to another one', () => {
  const first = { id: 0, result: '0x1' }
  expect(() => parse(2, [first, { id: 1, result: '0x2' }, { id: 0, result: '0x3' }])).toThrow(
    expect.objectContaining({ kind: 'malformed', retryable: true }) as Error,
  )
  const responses = parse(2, [{ id: 2, result: '0x3' }, first])
  expect(responses[0]).toEqual({ result: '0x1' })
  expect(responses[1]?.error).toMatchObject({ kind: 'malformed' })
})
