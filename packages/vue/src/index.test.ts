import { expect, test } from 'vitest'
import { operations } from '@headwater/contract'
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

test.each(Object.keys(operations))('has a composable of the operation %s', (name) => {
  expect(entry).toHaveProperty(`use${name[0]!.toUpperCase()}${name.slice(1)}`)
})
