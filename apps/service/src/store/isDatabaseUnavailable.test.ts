import { expect, it } from 'vitest'
import { isDatabaseUnavailable } from './isDatabaseUnavailable.ts'

const coded = (code: string) => Object.assign(new Error('failed'), { code })

it.each([
  ...[
    'ECONNREFUSED',
    'EAI_AGAIN',
    'EHOSTUNREACH',
    'ENETUNREACH',
    '57014',
    '57P01',
    '53300',
    '25006',
    '40001',
    'CERT_HAS_EXPIRED',
    'SELF_SIGNED_CERT_IN_CHAIN',
  ].map(coded),
  ...[
    'Connection terminated',
    'Connection terminated unexpectedly',
    'Connection terminated due to connection timeout',
    'Client has encountered a connection error and is not queryable',
    'Client was closed and is not queryable',
    'timeout exceeded when trying to connect',
    'timeout expired',
    'SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string',
    'The server does not support SSL connections',
  ].map((message) => new Error(message)),
  new AggregateError([coded('ECONNREFUSED')]),
])('recognizes %o as a lost connection', (error) => {
  expect(isDatabaseUnavailable(error)).toBe(true)
})

it.each([coded('42P01'), new Error('failed'), 'Connection terminated'])(
  'does not recognize %o',
  (error) => {
    expect(isDatabaseUnavailable(error)).toBe(false)
  },
)
