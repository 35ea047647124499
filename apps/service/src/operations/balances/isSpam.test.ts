import { expect, it } from 'vitest'
import { testAddress } from '../../../test/seedChain.ts'
import { testChainConfig } from '../../../test/testChainConfig.ts'
import { isSpam } from './BalanceEntry.ts'

const token = {
  chain: testChainConfig(7),
  address: testAddress(1),
  name: undefined,
  symbol: undefined,
  decimals: 18,
}
const route = { price: { numerator: 1n, denominator: 1n }, legs: [] }

it.each([
  ['less than 100 USD of liquidity', { token, price: { usd: 1, poolSize: 99.99, route } }, true],
  ['exactly 100 USD', { token, price: { usd: 1, poolSize: 100, route } }, false],
  ['no liquidity at all', { token }, true],
  ['a stablecoin that no pool trades', { token, price: { usd: 1, route } }, false],
  ['an unpriced native asset', { token: { ...token, address: 'native' } }, false],
])('spam or not: %s', (_, priced, expected) => {
  expect(isSpam(priced)).toBe(expected)
})
