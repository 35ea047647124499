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
      "createClient",
      "formatAmount",
      "getBalances",
      "isHeadwaterError",
      "totalValue",
      "watchBalances",
    ]
  `)
})
