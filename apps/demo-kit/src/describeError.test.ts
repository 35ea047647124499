import {
  HttpError,
  InvalidParameterError,
  MalformedAnswerError,
  NetworkError,
} from '@headwater/core'
import { expect, test } from 'vitest'

import { describeError } from './describeError.ts'

const url = 'http://service.test'

test.each([
  ['invalid-address', new InvalidParameterError('address', 'must be an address')],
  ['other', new InvalidParameterError('apiKey', 'must be a header value')],
  ['unauthorized', new HttpError('No such key.', { url, status: 401 })],
  ['offline', new NetworkError(url, new TypeError('Failed to fetch'))],
  ['other', new HttpError('Busy.', { url, status: 503 })],
  ['other', new MalformedAnswerError(url, 'no list')],
  ['other', new Error('something else')],
])('tells %s of %s', (kind, error) => {
  const problem = describeError(error)
  expect(problem.kind).toBe(kind)
  expect(problem.title).not.toBe('')
  expect(problem.advice).not.toBe('')
})
