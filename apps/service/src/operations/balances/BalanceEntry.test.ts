import fc from 'fast-check'
import { expect, it } from 'vitest'
import { testAddress } from '../../../test/seedChain.ts'
import { testChainConfig } from '../../../test/testChainConfig.ts'
import { type BalanceEntry, compareKeys, takePage } from './BalanceEntry.ts'

function entryOf(value: number | null, chainId: number, address: string): BalanceEntry {
  const texts = { name: undefined, symbol: undefined, decimals: undefined }
  const token = { chain: testChainConfig(chainId), address, ...texts }
  return { holding: { token, amount: 1n }, key: [value, chainId, address] }
}

// Few values, so that many entries are worth the same.
const entry = fc
  .tuple(
    fc.option(fc.constantFrom(0, 1, 2.5, 1e30)),
    fc.constantFrom(1, 2),
    fc.integer({ min: 1, max: 9 }),
  )
  .map(([value, chainId, address]) => entryOf(value, chainId, testAddress(address)))

it('takes what follows the key and is listed, wherever the key is', () => {
  const world = fc.record({
    entries: fc.array(entry, { maxLength: 30 }),
    after: fc.option(entry, { nil: undefined }),
    limit: fc.integer({ min: 1, max: 10 }),
    unlisted: fc.integer({ min: 1, max: 9 }),
  })
  fc.assert(
    fc.property(world, ({ entries, after, limit, unlisted }) => {
      const sorted = [...entries].sort((a, b) => compareKeys(a.key, b.key))
      const isListed = ({ key }: BalanceEntry) => key[2] !== testAddress(unlisted)
      const expected = sorted
        .filter((candidate) => isListed(candidate))
        .filter(({ key }) => !after || compareKeys(key, after.key) > 0)
        .slice(0, limit)
      expect(takePage(sorted, isListed, after?.key, limit)).toEqual(expected)
    }),
  )
})
