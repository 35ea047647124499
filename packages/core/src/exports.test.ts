import { expect, it } from 'vitest'
import * as entry from './index.ts'

it('exports these names', () => {
  expect(Object.keys(entry).sort()).toMatchInlineSnapshot(`
    [
      "HeadwaterError",
      "HttpError",
      "InvalidParameterError",
      "MalformedAnswerError",
      "NetworkError",
      "TimeoutError",
      "balancesQueryOptions",
      "collectiblesQueryOptions",
      "createClient",
      "formatAmount",
      "getBalances",
      "getCollectibles",
      "getTokenBalance",
      "getTokenHolders",
      "getTokenInfo",
      "isHeadwaterError",
      "tokenBalanceQueryOptions",
      "tokenHoldersQueryOptions",
      "tokenInfoQueryOptions",
      "totalValue",
      "watchBalances",
      "watchTokenBalance",
      "watchTokenInfo",
    ]
  `)
})
