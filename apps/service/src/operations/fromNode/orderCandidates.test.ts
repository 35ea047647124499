import { expect, it } from 'vitest'
import { orderCandidates } from './orderCandidates.ts'

it('begins with the listed tokens of transfers, and reads lists before very many other ones', () => {
  const spam = Array.from({ length: 1_500 }, (_, index) => `spam ${index}`)
  const tokens = { configured: ['usdc', 'weth'], listed: ['weth', 'pepe', 'uni'] }
  const ordered = orderCandidates(tokens, new Set([...spam, 'uni', 'weth']))
  expect(ordered.slice(0, 4)).toEqual(['weth', 'uni', 'usdc', 'spam 0'])
  expect(ordered.indexOf('pepe')).toBe(3 + 1_000)
  expect(ordered.slice(1_004)).toEqual(spam.slice(1_000))
})
