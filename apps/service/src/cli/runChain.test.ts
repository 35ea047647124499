import { expect, it } from 'vitest'
import { NodeError } from '../rpc/transport/NodeError.ts'
import { formatFailure } from './runChain.ts'

const node = { stats: () => [] }

it('names a full disk and the error of a node, and no other error, which may contain secrets', () => {
  const format = (code: string) =>
    formatFailure(Object.assign(new Error('password=secret'), { code }), node)
  expect(format('ENOSPC')).toBe('the disk of the facts is full: free space, and indexing continues')
  expect(format('53100')).toBe(
    'the disk of the database is full: free space, and indexing continues',
  )
  expect(format('42883')).toBe('an internal error; see the log')
  expect(formatFailure(new NodeError('no response', { kind: 'timeout' }), node)).toMatch(
    /^no response/,
  )
})
