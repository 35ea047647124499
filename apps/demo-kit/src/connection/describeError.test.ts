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
const refused = (status: number) => new HttpError('Sentence of the service.', { url, status })

test.each([
  ['invalid-address', new InvalidParameterError('address', 'must be an address')],
  ['invalid-address', new InvalidParameterError('tokenAddress', 'must be an address')],
  ['other', new InvalidParameterError('apiKey', 'must be a header value')],
  ['unauthorized', refused(401)],
  ['unauthorized', refused(403)],
  ['budget', refused(402)],
  ['budget', new BudgetError(2, Infinity)],
  ['service-down', new NetworkError(url, new TypeError('Failed to fetch'))],
  ['service-down', new TimeoutError(url, 5)],
  ['service-down', refused(503)],
  ['other', refused(404)],
  ['other', refused(429)],
  ['other', new InvalidResponseError(url, 'no list')],
  ['other', new Error('something else')],
])('tells %s of %s', (kind, error) => {
  const problem = describeError(error, true)
  expect(problem.kind).toBe(kind)
  expect(problem.title).not.toBe('')
  expect(problem.advice).not.toBe('')
})

test('blames the network and not the service where there is none', () => {
  expect(describeError(new NetworkError(url, new TypeError('Failed')), false).kind).toBe('offline')
})

test('says when a budget allows more', () => {
  expect(describeError(new BudgetError(2, 12_345)).advice).toContain('within 13 s')
  expect(describeError(new BudgetError(2, Infinity)).advice).not.toContain('by itself')
})
