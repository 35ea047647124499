import { expect, it } from 'vitest'
import { getBloomBits } from '../rpc/verify/bloom.ts'
import { HeadTrail } from './HeadTrail.ts'

const [mine, other] = [1, 2].map((digit) => `0x${String(digit).repeat(64)}`) as [string, string]

function createBloom(topic: string): string {
  const bits = getBloomBits(topic).reduce((sum, bit) => sum | (1n << BigInt(bit)), 0n)
  return `0x${bits.toString(16).padStart(512, '0')}`
}

const block = (number: number, logsBloom: string | undefined, transactions = ['0x']) => ({
  hash: `hash ${number}`,
  parentHash: `hash ${number - 1}`,
  logsBloom,
  transactionHashes: transactions,
})

it('excludes a topic by the bloom filters of all blocks since', () => {
  const trail = new HeadTrail(1)
  trail.add(block(2, createBloom(other)))
  trail.add(block(3, createBloom(other)))
  expect(trail.excludes('hash 1', 'hash 3', mine)).toBe(true)
  expect(trail.excludes('hash 1', 'hash 3', other)).toBe(false)
  trail.add(block(4, createBloom(mine)))
  expect(trail.excludes('hash 1', 'hash 4', mine)).toBe(false)
  expect(trail.excludes('hash 4', 'hash 4', mine)).toBe(true)
})

it('excludes a topic from all blocks but the last one', () => {
  const trail = new HeadTrail(1)
  trail.add(block(2, createBloom(other)))
  trail.add(block(3, createBloom(mine)))
  trail.add(block(4, createBloom(mine)))
  expect(trail.excludesBefore('hash 1', 'hash 3', mine)).toBe(true)
  expect(trail.excludesBefore('hash 1', 'hash 4', mine)).toBe(false)
  expect(trail.excludesBefore('hash 3', 'hash 4', mine)).toBe(true)
  expect(trail.excludesBefore('hash 3', 'hash 6', mine)).toBe(false)
})

it('excludes nothing where a block is unknown, was replaced, or has no bloom filter', () => {
  const trail = new HeadTrail(1)
  trail.add(block(3, createBloom(other)))
  expect(trail.excludes('hash 1', 'hash 3', mine)).toBe(false)
  trail.add(block(4, undefined))
  trail.add(block(5, `0x${'0'.repeat(512)}`))
  expect(trail.excludes('hash 3', 'hash 4', mine)).toBe(false)
  expect(trail.excludes('hash 4', 'hash 5', mine)).toBe(false)
  trail.add(block(6, undefined, []))
  expect(trail.excludes('hash 5', 'hash 6', mine)).toBe(true)
})

it('excludes nothing where bloom filters lack system logs', () => {
  const polygon = new HeadTrail(137)
  const fork = new HeadTrail(9)
  for (const trail of [polygon, fork]) {
    trail.add(block(2, createBloom(other)))
  }
  const bridge = `0x${'1'.repeat(40)}`
  expect(polygon.excludes('hash 1', 'hash 2', mine)).toBe(false)
  fork.checkLogs([{ blockHash: 'hash 1', address: bridge }])
  expect(fork.excludes('hash 1', 'hash 2', mine)).toBe(true)
  fork.checkLogs([{ blockHash: 'hash 2', address: bridge }])
  expect(fork.excludes('hash 1', 'hash 2', mine)).toBe(false)
})

it('knows that a block extends another one as far as it has the blocks between', () => {
  const trail = new HeadTrail(1)
  trail.add(block(3, createBloom(mine)))
  trail.add(block(4, undefined))
  expect(trail.extends('hash 4', 'hash 2')).toBe(true)
  expect(trail.extends('hash 4', 'hash 4')).toBe(true)
  expect(trail.extends('hash 4', 'hash 1')).toBe(false)
  expect(trail.extends('hash 4', 'another 3')).toBe(false)
})
