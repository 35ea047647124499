import { expect, test } from 'vitest'
import {
  BudgetError,
  HttpError,
  InvalidParameterError,
  InvalidResponseError,
  NetworkError,
  TimeoutError,
} from '@headwater/core'
import { describeError } from './describeError.ts'

const url = 'http://service.test'
const httpError = (status: number) => new HttpError('Message of the service.', { url, status })

test.each([
  ['invalid-address', new InvalidParameterError('address', 'must be an address')],
  ['invalid-address', new InvalidParameterError('tokenAddress', 'must be an address')],
  ['other', new InvalidParameterError('apiKey', 'must be a header value')],
  ['unauthorized', httpError(401)],
  ['unauthorized', httpError(403)],
  ['budget', httpError(402)],
  ['budget', new BudgetError(2, Infinity)],
  ['service-down', new NetworkError(url, new TypeError('Failed to fetch'))],
  ['service-down', new TimeoutError(url, 5)],
  ['service-down', httpError(503)],
  ['other', httpError(404)],
  ['other', httpError(429)],
  ['other', new InvalidResponseError(url, 'no list')],
  ['other', new Error('something else')],
])('returns the problem %s for %s', (kind, error) => {
  const problem = describeError(error, true)
  expect(problem.kind).toBe(kind)
  expect(problem.title).not.toBe('')
  expect(problem.advice).not.toBe('')
})

test('gives no advice to wait for what does not exist', () => {
  expect(describeError(httpError(404)).advice).toMatch(/^Check the link/)
  // Such as an unknown tag of chains.
  expect(describeError(httpError(400)).advice).toMatch(/^Check the chains/)
})

test('leaves it to the banner to state that the page is offline, and does not report the service', () => {
  const problem = describeError(new NetworkError(url, new TypeError('Failed')), false)
  expect(problem).toEqual({ kind: 'offline', title: '', advice: '' })
})

test('states when the budget allows more requests', () => {
  expect(describeError(new BudgetError(2, 12_345)).advice).toContain('within 13 s')
  expect(describeError(new BudgetError(2, Infinity)).advice).not.toContain('within')
})
