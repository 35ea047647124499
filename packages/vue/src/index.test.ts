import { expect, test } from 'vitest'
import * as entry from './index.ts'

test('exports what the README lists, and nothing else', () => {
  expect(Object.keys(entry).sort()).toMatchInlineSnapshot(`
    [
      "headwaterPlugin",
      "provideClient",
      "useBalances",
      "useClient",
      "useCollectibles",
      "usePortfolio",
      "usePrice",
      "usePrices",
      "useSnapshot",
      "useTokenBalance",
      "useTokenHolders",
      "useTokenInfo",
      "useUsage",
      "useWaitForChange",
    ]
  `)
})
