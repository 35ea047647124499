import { expect, it } from 'vitest'
import { describeDatabaseError, describeOutage } from './describeDatabaseError.ts'

it.each([
  ['ECONNREFUSED', 'refused', 'check its URL and that it runs'],
  ['28P01', 'password authentication failed', 'correct the user and the password'],
  [undefined, 'SASL: client password must be a string', 'correct the user and the password'],
  ['3D000', 'database "a" does not exist', 'create it, or correct its name'],
  ['42501', 'permission denied for table keys', 'make the user of its URL the owner'],
  ['25006', 'cannot execute INSERT', 'use the URL of the primary'],
  ['53300', 'too many clients', 'raise its limit of connections'],
  [undefined, 'The server does not support SSL connections', 'remove sslmode'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'self-signed certificate', 'sslrootcert'],
])('describes %s (%s) with a remedy', (code, message, remedy) => {
  const error = Object.assign(new Error(message), code !== undefined && { code })
  for (const each of [error, new AggregateError([error])]) {
    expect(describeDatabaseError(each)).toContain(`cannot be used (${message}): `)
    expect(describeDatabaseError(each)).toContain(remedy)
  }
})

it('describes an outage without the message of the server or of the system, which may name hosts and users', () => {
  const unreachable = Object.assign(new Error('connect ECONNREFUSED 10.0.0.5:5432'), {
    code: 'ECONNREFUSED',
  })
  const errors = [
    new AggregateError([unreachable]),
    Object.assign(new Error('role "me" does not exist'), { code: '28000' }),
    new Error('Connection terminated unexpectedly'),
    new TypeError('a is not a function'),
  ]
  expect(errors.map(describeOutage)).toEqual([
    'is unavailable (ECONNREFUSED): check its URL and that it runs',
    expect.stringMatching(/^is unavailable \(28000\): correct the user/),
    'is unavailable (Connection terminated unexpectedly): check its URL and that it runs',
    'cannot be read; see the log',
  ])
})

it('does not describe errors that are bugs', () => {
  const invalid = Object.assign(new Error('relation "a" does not exist'), { code: '42P01' })
  expect([invalid, new TypeError('a'), 'a', undefined].map(describeDatabaseError)).toEqual(
    Array(4).fill(undefined),
  )
})
