import { expect, it } from 'vitest'
import { ReplicaLag } from './ReplicaLag.ts'

const at = (block: number) => new Map([[7, block]])

it('accepts a replica that keeps up, regardless of the number of blocks between', () => {
  const lag = new ReplicaLag(30)
  for (let now = 0; now < 200; now += 10) {
    expect(lag.observe(at(1000 * now), at(1000 * Math.max(0, now - 20)), now)).toBe(false)
  }
})

it('detects a replica that stopped, until it has caught up', () => {
  const lag = new ReplicaLag(30)
  expect(lag.observe(at(10), at(9), 0)).toBe(false)
  expect(lag.observe(at(13), at(9), 30)).toBe(false)
  expect(lag.observe(at(14), at(9), 31)).toBe(true)
  // It advances, but not to the first target; then it reaches that, but late.
  expect(lag.observe(at(90), at(10), 70)).toBe(true)
  expect(lag.observe(at(95), at(89), 80)).toBe(true)
  expect(lag.observe(at(95), at(90), 90)).toBe(false)
})

it('does not count a chain without new blocks, or shortened by a reorg, as lag', () => {
  const lag = new ReplicaLag(30)
  expect(lag.observe(at(10), at(10), 0)).toBe(false)
  expect(lag.observe(at(10), at(10), 100)).toBe(false)
  expect(lag.observe(at(12), at(10), 101)).toBe(false)
  expect(lag.observe(at(9), at(9), 120)).toBe(false)
  expect(lag.observe(at(9), at(9), 200)).toBe(false)
})

it('considers every chain', () => {
  const lag = new ReplicaLag(30)
  const both = (one: number, two: number) => new Map([...at(one), [8, two]])
  lag.observe(both(1, 1), both(1, 0), 0)
  expect(lag.observe(both(2, 1), both(2, 0), 31)).toBe(true)
})
