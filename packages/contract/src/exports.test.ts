import { expect, it } from 'vitest'
import * as main from './index.ts'
import * as schemas from './schemas.ts'

it('exports what users may rely on, and no more', () => {
  expect(Object.keys(main).sort()).toMatchInlineSnapshot(`
    [
      "API_KEY_HEADER",
      "LOW_LIQUIDITY_USD",
      "SPAM_LIQUIDITY_USD",
      "balances",
      "collectibles",
      "isBalance",
      "isBalancesParameters",
      "isBalancesResponse",
      "isCollectible",
      "isCollectiblesParameters",
      "isCollectiblesResponse",
      "isHolder",
      "isToken",
      "isTokenBalanceParameters",
      "isTokenHoldersParameters",
      "isTokenHoldersResponse",
      "isTokenInfoParameters",
      "isTokenInfoResponse",
      "tokenBalance",
      "tokenHolders",
      "tokenInfo",
      "wireName",
    ]
  `)
  expect(Object.keys(schemas).sort()).toMatchInlineSnapshot(`
    [
      "InvalidRequestError",
      "decodeParameters",
      "openApi",
      "operations",
      "readRequest",
    ]
  `)
})
