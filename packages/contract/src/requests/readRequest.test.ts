import { describe, expect, it } from 'vitest'
import { isBalancesParameters, isTokenInfoParameters, type Validator } from '../index.ts'
import { operations } from '../schemas.ts'
import { decodeParameters } from './decodeParameters.ts'
import { readRequest } from './readRequest.ts'

const address = `0x${'ab'.repeat(20)}`
const served = [
  { id: 10, tags: ['default', 'mainnet'] },
  { id: 1, tags: ['mainnet'] },
]
const isName = (word: string) => word === 'ethereum'

function accept<Parameters>(isParameters: Validator<Parameters>) {
  return (asked: unknown) => (isParameters(asked) ? { ...asked } : { error: isParameters.error! })
}
const answered = {
  balances: { ...operations.balances, accept: accept(isBalancesParameters) },
  tokenInfo: { ...operations.tokenInfo, accept: accept(isTokenInfoParameters) },
}

function read(operation: keyof typeof answered, query: string) {
  const asked = decodeParameters(answered[operation], { address }, new URLSearchParams(query))
  const known = { served, isName }
  return operation === 'balances'
    ? readRequest(answered.balances, asked, known)
    : readRequest(answered.tokenInfo, asked, known)
}

describe('a request', () => {
  it('is read by its schema, each chain once, by id', () => {
    const query = 'chain_ids=10,mainnet,%201,77,77&limit=5&exclude_spam_tokens=true&colour=red'
    expect(read('balances', query)).toEqual({
      address,
      chainIds: [10, 'mainnet', 1, 77],
      limit: 5,
      excludeSpamTokens: true,
      chains: [served[1], served[0]],
      unsupportedChainIds: [77],
    })
    expect(read('balances', '')).toMatchObject({ chains: [served[0]], unsupportedChainIds: [] })
  })

  it.each([
    ['balances', 'limit=1&limit=1', 400, 'REPEATED_PARAMETER', 'limit', 'limit is given twice'],
    ['balances', 'limit=0', 400, 'INVALID_PARAMETER', 'limit', 'limit must be at least 1'],
    ['balances', 'limit=ten', 400, 'INVALID_PARAMETER', 'limit', 'limit must be of type integer'],
    [
      'balances',
      'historical_prices=1,2,3,4',
      400,
      'INVALID_PARAMETER',
      'historical_prices',
      'at most 3',
    ],
    [
      'balances',
      'chain_ids=ethereum',
      400,
      'CHAIN_NAME_NOT_ACCEPTED',
      'chain_ids',
      'is the name of',
    ],
    ['balances', 'chain_ids=1,odd', 400, 'UNKNOWN_CHAIN_TAG', 'chain_ids', 'default, mainnet'],
    ['tokenInfo', '', 400, 'INVALID_PARAMETER', 'chain_ids', 'chain_ids is missing'],
    [
      'tokenInfo',
      'chain_ids=ethereum',
      400,
      'CHAIN_NAME_NOT_ACCEPTED',
      'chain_ids',
      'is the name of',
    ],
    ['tokenInfo', 'chain_ids=77', 404, 'CHAIN_NOT_SUPPORTED', 'chain_ids', 'Chain 77'],
  ] as const)('of %s with ?%s is refused: %i %s', (operation, query, status, code, param, says) => {
    const message = expect.stringContaining(says) as unknown
    const refusal = { name: 'InvalidRequestError', status, code, param, message }
    expect(() => read(operation, query)).toThrow(expect.objectContaining(refusal))
  })
})
