import { expect, test } from 'vitest'
import { operations } from '@headwater/contract'
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

test.each(Object.keys(operations))('has both hooks of the operation %s', (name) => {
  const noun = name[0]!.toUpperCase() + name.slice(1)
  expect(entry).toHaveProperty(`use${noun}`)
  expect(entry).toHaveProperty(`useSuspense${noun}`)
})
