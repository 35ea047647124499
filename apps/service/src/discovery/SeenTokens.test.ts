import { expect, it } from 'vitest'
import { testAddress } from '../../test/seedChain.ts'
import { SeenTokens } from './SeenTokens.ts'

it('has the tokens of the most wallets, no more than a call has room for', () => {
  const seen = new SeenTokens()
  const tokens = Array.from({ length: 100 }, (_, index) => testAddress(index + 1))
  seen.add(tokens)
  seen.add(tokens.slice(90))
  seen.add(tokens.slice(95))
  const { mostMoved } = seen
  expect(mostMoved).toHaveLength(64)
  expect(mostMoved.slice(0, 5).sort()).toEqual(tokens.slice(95).sort())
  expect(mostMoved.slice(5, 10).sort()).toEqual(tokens.slice(90, 95).sort())
})
