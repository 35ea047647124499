import { expect, it } from 'vitest'
import { testChainConfig } from '../../../test/testChainConfig.ts'
import { applyDeltas } from './applyDeltas.ts'
import { LedgerHolding } from './LedgerHolding.ts'

const chain = testChainConfig(1)
const toHolding = (address: string, amount: bigint) =>
  new LedgerHolding({ chain, address, name: undefined, symbol: undefined, decimals: 18 }, amount)
const holdings = {
  priceable: [toHolding('0xa', 10n), toHolding('0xb', 20n)],
  others: [toHolding('0xc', 30n)],
}
const toDeltas = (amounts: Readonly<Record<string, readonly bigint[]>>) =>
  Object.entries(amounts).flatMap(([token, each]) =>
    each.map((amount) => ({ token, amount, block: 1, sequence: 1 })),
  )
const apply = (amounts: Readonly<Record<string, readonly bigint[]>>, to = holdings as never) => {
  const applied = applyDeltas(to, 1, toDeltas(amounts))
  return (
    applied &&
    [...applied.priceable, ...(applied.others ?? [])].map(
      ({ token, amount }) => `${token.address}=${amount}`,
    )
  )
}

it('adds changes to the amounts, and removes tokens without an amount', () => {
  expect(apply({ '0xa': [-5n, 1n], '0xc': [1n] })).toEqual(['0xa=6', '0xb=20', '0xc=31'])
  expect(apply({ '0xa': [-10n], '0xb': [-30n] })).toEqual(['0xc=30'])
  expect(applyDeltas(holdings, 2, [])).toEqual(holdings)
})

it('needs the rows for a token that is not among them', () => {
  expect(apply({ '0xd': [1n] })).toBeUndefined()
  expect(applyDeltas(holdings, 2, toDeltas({ '0xa': [1n] }))).toBeUndefined()
})

it('needs the rows where a removed token makes room for one that was left out', () => {
  const incomplete = { ...holdings, others: undefined } as never
  expect(apply({ '0xa': [1n] }, incomplete)).toEqual(['0xa=11', '0xb=20'])
  expect(apply({ '0xa': [-10n] }, incomplete)).toBeUndefined()
})
