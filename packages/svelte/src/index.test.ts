import { expect, test } from 'vitest'
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
