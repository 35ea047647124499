import { afterEach, beforeEach, expect, it } from 'vitest'
import { HandmadeChain } from '../testing/HandmadeChain.ts'
import { testAddress } from '../testing/seedChain.ts'
import { HandmadeNodeError, startHandmadeNode } from '../testing/startHandmadeNode.ts'
import { ChainNode } from './ChainNode.ts'

const block = { number: 0, hash: `0x${'ab'.repeat(32)}` }
const callOf = (index: number) => ({ to: testAddress(index), data: '0x01' })
const calls = [0, 1, 2, 3].map(callOf)

let server: Awaited<ReturnType<typeof startHandmadeNode>>
let other: Awaited<ReturnType<typeof startHandmadeNode>>

beforeEach(async () => {
  server = await startHandmadeNode(new HandmadeChain())
  other = await startHandmadeNode(new HandmadeChain())
})
afterEach(() => Promise.all([server.close(), other.close()]))

/** What call 1 and call 2 come to; the others are answered. */
function behaving(first: () => unknown, second: () => unknown): (typeof server)['distort'] {
  return (_, [call], answer) => {
    const { to } = (call ?? {}) as { to?: string }
    if (to === undefined) return answer
    return to === calls[1]?.to ? first() : to === calls[2]?.to ? second() : '0x2a'
  }
}
const fail = (code: number, message: string) => () => {
  throw new HandmadeNodeError(code, message)
}

it('tells what the contract failed from what the node failed', async () => {
  server.distort = behaving(fail(3, 'execution reverted: no'), fail(-32000, 'missing trie node'))
  expect(await new ChainNode([server.url]).callMany(calls, block)).toMatchObject([
    { kind: 'answered', data: '0x2a' },
    { kind: 'reverted' },
    { kind: 'failed', error: { message: 'eth_call: missing trie node' } },
    { kind: 'answered', data: '0x2a' },
  ])
})

it('asks all in one request, at the block by its hash', async () => {
  server.distort = behaving(
    () => '0x01',
    () => '0x02',
  )
  await new ChainNode([server.url]).callMany(calls, block)
  expect(server.requests).toBe(1)
  expect(server.questions.map(({ params }) => params)).toEqual(
    calls.map((call) => [call, { blockHash: block.hash }]),
  )
})

it('asks the next node only what the first did not tell', async () => {
  server.distort = behaving(fail(3, 'execution reverted'), fail(-32000, 'missing trie node'))
  other.distort = () => '0x07'
  const outcomes = await new ChainNode([server.url, other.url]).callMany(calls, block)
  expect(outcomes[1]).toEqual({ kind: 'reverted' })
  expect(outcomes[2]).toEqual({ kind: 'answered', data: '0x07' })
  expect(other.questions.map(({ params }) => params[0])).toEqual([calls[2]])
})

it('takes an answer that is no hex for a failure of the node', async () => {
  server.distort = behaving(
    () => null,
    () => '0xzz',
  )
  const outcomes = await new ChainNode([server.url]).callMany(calls, block)
  expect(outcomes.map(({ kind }) => kind)).toEqual(['answered', 'failed', 'failed', 'answered'])
})

it('fails each call when no node is there', async () => {
  const outcomes = await new ChainNode(['http://127.0.0.1:1']).callMany(calls, block)
  expect(outcomes.map(({ kind }) => kind)).toEqual(calls.map(() => 'failed'))
})

it('asks nothing for no calls, and rejects when it is stopped', async () => {
  const node = new ChainNode([server.url])
  expect(await node.callMany([], block)).toEqual([])
  expect(server.questions).toEqual([])
  await expect(
    node.callMany(calls, block, { signal: AbortSignal.abort(new Error('stop')) }),
  ).rejects.toThrow('stop')
})

it.each([
  'execution reverted',
  'out of gas',
  'invalid opcode: INVALID',
  'stack underflow (0 <=> 1)',
])('knows by the words that a contract ended (%s)', async (message) => {
  server.distort = fail(-32000, message)
  expect(await new ChainNode([server.url]).callMany([callOf(1)], block)).toEqual([
    { kind: 'reverted' },
  ])
})
