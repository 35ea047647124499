import { expect, test } from 'vitest'
import { chainChoices, toggleChain } from './chainChoices.ts'

const known = [
  { id: 1, name: 'mainnet', tags: ['default'] },
  { id: 5, name: 'testing', tags: ['default', 'testnet'] },
]
const chosen = (chains: (number | string)[]) =>
  chainChoices(known, chains)
    .filter(({ isChosen }) => isChosen)
    .map(({ value }) => value)

test('offers tags and chains, and selected ones that are not configured', () => {
  expect(chainChoices(known, []).map(({ value }) => value)).toEqual(['default', 'testnet', 1, 5])
  expect(chainChoices(known, [10, 'mine']).map(({ label }) => label)).toEqual([
    'All by default',
    'All “testnet”',
    'All “mine”',
    'mainnet',
    'testing',
    'Chain 10',
  ])
})

test('marks the selected options', () => {
  expect(chosen([])).toEqual(['default'])
  expect(chosen([1, 5])).toEqual([1, 5])
  expect(chosen(['testnet'])).toEqual(['testnet'])
})

test('accumulates chains, replaces them with a tag, and falls back to the default', () => {
  expect(toggleChain([], 1)).toEqual([1])
  expect(toggleChain([1], 5)).toEqual([1, 5])
  expect(toggleChain([1, 5], 1)).toEqual([5])
  expect(toggleChain([5], 5)).toEqual([])
  expect(toggleChain(['testnet'], 1)).toEqual([1])
  expect(toggleChain([1, 5], 'testnet')).toEqual(['testnet'])
  expect(toggleChain(['testnet'], 'testnet')).toEqual([])
  expect(toggleChain([1], 'default')).toEqual([])
})
