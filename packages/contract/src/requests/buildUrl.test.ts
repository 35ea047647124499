import { describe, expect, it } from 'vitest'
import { balances as operation } from '../operations.ts'
import { buildUrl } from './buildUrl.ts'

const address = `0x${'ab'.repeat(20)}`

describe('buildUrl', () => {
  it('encodes path and query with the parameter names of the API', () => {
    const request = buildUrl(operation, {
      address,
      chainIds: [1, 'default'],
      excludeSpamTokens: true,
      historicalPrices: [24, 1],
      offset: 'a=b&c d',
      limit: 10,
    })
    expect(request).toBe(
      `/v1/evm/balances/${address}?chain_ids=1,default&exclude_spam_tokens=true` +
        '&historical_prices=24,1&offset=a%3Db%26c%20d&limit=10',
    )
  })

  it('omits the question mark without a query', () => {
    expect(buildUrl(operation, { address })).toBe(`/v1/evm/balances/${address}`)
  })
})
