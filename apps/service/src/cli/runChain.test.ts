import { expect, it } from 'vitest'
import { FactsError } from '../facts/FactsError.ts'
import { NodeError } from '../rpc/transport/NodeError.ts'
import { StoreError } from '../store/StoreError.ts'
import { formatFailure } from './runChain.ts'

const node = { stats: () => [] }

it('names a full disk, the error of a node and one for operators, and no other error, which may contain secrets', () => {
  const format = (code: string) =>
    formatFailure(Object.assign(new Error('password=secret'), { code }), node)
  const full = 'the disk of the facts is full: free space, and it continues'
  expect(format('ENOSPC')).toBe(full)
  const ofDuckDb = new Error('IO Error: Could not write to file "/f/1": No space left on device')
  expect(formatFailure(ofDuckDb, node)).toBe(full)
  expect(format('53100')).toBe('the disk of the database is full: free space, and it continues')
  expect(format('42883')).toBe('an internal error; see the log')
  // The system's code for a file of the facts, which is also that of a socket.
  expect(format('ENOENT')).toBe('an internal error; see the log')
  expect(format('42501')).toBe(
    'its database is unavailable (42501): make the user of its URL the owner of the database and of its tables',
  )
  expect(format('57014')).toMatch(/^its database is unavailable \(57014\): .* pg_stat_activity/)
  const unusable = 'The folder /facts/1 cannot be used'
  expect(formatFailure(new StoreError(unusable), node)).toBe(unusable)
  expect(formatFailure(new FactsError(unusable), node)).toBe(unusable)
  expect(formatFailure(new NodeError('no response', { kind: 'timeout' }), node)).toBe('no response')
})
