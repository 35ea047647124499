import { expect, test } from 'vitest'
import { operations } from '@headwater/contract'
import * as entry from './index.ts'

test('exports what the README lists, and nothing else', () => {
  expect(Object.keys(entry).sort()).toMatchInlineSnapshot(`
    [
      "createBalances",
      "createCollectibles",
      "createPortfolio",
      "createPrice",
      "createPrices",
      "createSnapshot",
      "createTokenBalance",
      "createTokenHolders",
      "createTokenInfo",
      "createUsage",
      "createWaitForChange",
      "getClient",
      "setClient",
    ]
  `)
})

test.each(Object.keys(operations))('has a store of the operation %s', (name) => {
  expect(entry).toHaveProperty(`create${name[0]!.toUpperCase()}${name.slice(1)}`)
})
