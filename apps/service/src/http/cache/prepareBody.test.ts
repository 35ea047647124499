import { expect, it } from 'vitest'
import { prepareBody, writeBody } from './prepareBody.ts'

it.each([
  ['an empty body', {}],
  ['a short body', { text: 'ä', number: 1 }],
  ['a long body', { text: 'ä"€'.repeat(10_000), list: [1, null] }],
])('writes %s as JSON with the times of the request', (_, fields) => {
  const times = { request_time: 'placeholder', response_time: 'placeholder' }
  const receivedAt = new Date(Date.now() - 5000)
  const prepared = prepareBody({ ...fields, ...times })
  const written = writeBody(prepared, receivedAt)
  const text = typeof written === 'string' ? written : Buffer.concat(written).toString()
  const body = JSON.parse(text) as Record<string, string>
  const { request_time, response_time, ...rest } = body
  expect(rest).toEqual(fields)
  expect(request_time).toBe(receivedAt.toISOString())
  expect(Date.parse(response_time ?? '')).toBeGreaterThanOrEqual(receivedAt.getTime() + 5000)
  expect(prepareBody({ ...fields, request_time: 'later', response_time: 'later' }).tag).toBe(
    prepared.tag,
  )
  expect(prepareBody({ ...fields, other: 1 }).tag).not.toBe(prepared.tag)
})
