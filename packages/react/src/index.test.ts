import { expect, test } from 'vitest'
import * as entry from './index.ts'

test('exports what the README lists, and nothing else', () => {
  expect(Object.keys(entry).sort()).toMatchInlineSnapshot(`
    [
      "HeadwaterProvider",
      "useBalances",
      "useClient",
      "useCollectibles",
      "usePortfolio",
      "usePrice",
      "usePrices",
      "useSnapshot",
      "useSuspenseBalances",
      "useSuspenseCollectibles",
      "useSuspensePortfolio",
      "useSuspensePrice",
      "useSuspensePrices",
      "useSuspenseSnapshot",
      "useSuspenseTokenBalance",
      "useSuspenseTokenHolders",
      "useSuspenseTokenInfo",
      "useTokenBalance",
      "useTokenHolders",
      "useTokenInfo",
      "useUsage",
      "useWaitForChange",
    ]
  `)
})
