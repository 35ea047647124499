import { expect, it } from 'vitest'
import * as entry from './index.ts'

it('exports these names', () => {
  expect(Object.keys(entry).sort()).toMatchInlineSnapshot(`
    [
      "BudgetError",
      "HeadwaterError",
      "HttpError",
      "InvalidParameterError",
      "MalformedAnswerError",
      "NetworkError",
      "TimeoutError",
      "amountOf",
      "balancesQueryOptions",
      "collectiblesQueryOptions",
      "costOf",
      "createClient",
      "expectChange",
      "formatAmount",
      "getBalances",
      "getCollectibles",
      "getTokenBalance",
      "getTokenHolders",
      "getTokenInfo",
      "isHeadwaterError",
      "isLowLiquidity",
      "parseAmount",
      "priceChange",
      "sameToken",
      "shareTabs",
      "tokenBalanceQueryOptions",
      "tokenHoldersQueryOptions",
      "tokenInfoQueryOptions",
      "totalValue",
      "valueOf",
      "watchBalances",
      "watchCollectibles",
      "watchPortfolio",
      "watchPrice",
      "watchPrices",
      "watchTokenBalance",
      "watchTokenHolders",
      "watchTokenInfo",
    ]
  `)
})
