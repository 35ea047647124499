import { expect, it } from 'vitest'
import { createRedactor } from './createRedactor.ts'

const url =
  'https://alice:s3cret%21@node.example/v3/k3y/longer-than-eight?apikey=q%2Ft&project=hunter2'
const redact = createRedactor(url)

it.each([
  ['the whole URL', url],
  ['the user name', 'no user alice here'],
  ['the password', 'wrong password s3cret!'],
  ['the encoded password', 'wrong password s3cret%21'],
  ['the header', `unknown Basic ${Buffer.from('alice:s3cret!').toString('base64')}`],
  ['a short path segment', 'no such project: k3y.'],
  ['a long path segment within a word', 'idlonger-than-eight7'],
  ['a query value', 'no project "hunter2"'],
  ['an encoded query value', 'GET /?apikey=q%2Ft'],
  ['a decoded query value', 'no key q/t'],
  ['a query value in another case', 'no project HUNTER2'],
])('redacts %s', (_, text) => {
  const redacted = redact(text)
  expect(redacted).toContain('…')
  for (const secret of ['alice', 's3cret', 'k3y', 'longer', 'hunter2', 'q/t', 'q%2Ft']) {
    expect(redacted.toLowerCase()).not.toContain(secret.toLowerCase())
  }
  expect(redacted).not.toContain(Buffer.from('alice:s3cret!').toString('base64'))
})

it('keeps words that contain a short path segment', () => {
  expect(createRedactor('https://node.example/eth/1')('eth_call: method 1 is off')).toBe(
    'eth_call: method 1 is off',
  )
})

it('keeps the text when the URL contains no secret', () => {
  expect(createRedactor('http://127.0.0.1:8545')('header not found')).toBe('header not found')
})
