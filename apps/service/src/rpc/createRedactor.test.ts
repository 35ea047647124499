import { expect, it } from 'vitest'
import { createRedactor } from './createRedactor.ts'

const url =
  'https://alice:s3cret%21@node.example/v3/k3y/longer-than-eight?apikey=q%2Ft&project=hunter2'
const redacted = createRedactor(url)

it.each([
  ['the whole URL', url],
  ['the user name', 'no user alice here'],
  ['the password', 'wrong password s3cret!'],
  ['the password as written', 'wrong password s3cret%21'],
  ['the header', `unknown Basic ${Buffer.from('alice:s3cret!').toString('base64')}`],
  ['a short piece of the path', 'no such project: k3y.'],
  ['a long piece within a word', 'idlonger-than-eight7'],
  ['a value of the query', 'no project "hunter2"'],
  ['a value of the query as written', 'GET /?apikey=q%2Ft'],
  ['a value of the query as meant', 'no key q/t'],
  ['a piece in other letters', 'no project HUNTER2'],
])('takes out %s', (_, text) => {
  const shown = redacted(text)
  expect(shown).toContain('…')
  for (const secret of ['alice', 's3cret', 'k3y', 'longer', 'hunter2', 'q/t', 'q%2Ft'])
    expect(shown.toLowerCase()).not.toContain(secret.toLowerCase())
  expect(shown).not.toContain(Buffer.from('alice:s3cret!').toString('base64'))
})

it('leaves words alone that only hold a short piece', () => {
  expect(createRedactor('https://node.example/eth/1')('eth_call: method 1 is off')).toBe(
    'eth_call: method 1 is off',
  )
})

it('takes nothing out where the URL tells nothing', () => {
  expect(createRedactor('http://127.0.0.1:8545')('header not found')).toBe('header not found')
})
