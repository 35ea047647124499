import { describe, expect, it } from 'vitest'
import type { OperationName } from '../operations.ts'
import { decodeParameters } from './decodeParameters.ts'
import { parseRequest } from './parseRequest.ts'

const address = `0x${'ab'.repeat(20)}`
const chains = [
  { id: 10, tags: ['default', 'mainnet'] },
  { id: 1, tags: ['mainnet'] },
]
const isChainName = (word: string) => ['ethereum', 'OP Mainnet'].includes(word)

function parse(name: OperationName, query: string, path: Record<string, string> = { address }) {
  const decoded = decodeParameters(name, path, new URLSearchParams(query))
  return parseRequest(name, decoded, { chains, isChainName })
}

describe('parseRequest', () => {
  it('decodes parameters by their schema and resolves each chain once, sorted by id', () => {
    const query = 'chain_ids=10,mainnet,%201,77,77&limit=5&exclude_spam_tokens=true&colour=red'
    expect(parse('balances', query)).toEqual({
      parameters: {
        address,
        chainIds: [10, 'mainnet', 1, 77],
        limit: 5,
        excludeSpamTokens: true,
      },
      chains: [chains[1], chains[0]],
      unsupportedChainIds: [77],
      units: 2,
    })
    expect(parse('balances', '')).toMatchObject({
      chains: [chains[0]],
      unsupportedChainIds: [],
      units: 1,
    })
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
      'at most 3 values',
    ],
    [
      'balances',
      'chain_ids=ethereum',
      400,
      'CHAIN_NAME_NOT_ACCEPTED',
      'chain_ids',
      'is a chain name: use its numeric id',
    ],
    [
      'collectibles',
      'chain_ids=1,OP%20Mainnet',
      400,
      'CHAIN_NAME_NOT_ACCEPTED',
      'chain_ids',
      'is a chain name: use its numeric id',
    ],
    ['balances', 'chain_ids=1,odd', 400, 'UNKNOWN_CHAIN_TAG', 'chain_ids', 'default, mainnet'],
    ['tokenInfo', '', 400, 'INVALID_PARAMETER', 'chain_ids', 'chain_ids is missing'],
    [
      'tokenInfo',
      'chain_ids=ethereum',
      400,
      'CHAIN_NAME_NOT_ACCEPTED',
      'chain_ids',
      'is a chain name: use its numeric id',
    ],
    [
      'tokenInfo',
      'chain_ids=77',
      404,
      'CHAIN_NOT_SUPPORTED',
      'chain_ids',
      'Chain 77 is not supported; /v1/evm/supported-chains lists the chains',
    ],
  ] as const)('rejects %s with ?%s: %i %s', (operation, query, status, code, param, text) => {
    const message = expect.stringContaining(text) as unknown
    const error = { name: 'InvalidRequestError', status, code, param, message }
    expect(() => parse(operation, query)).toThrow(expect.objectContaining(error))
  })

  it.each([
    ['balances', { address: 'vitalik.eth' }],
    ['tokenBalance', { address, tokenAddress: 'USDC' }],
    ['tokenInfo', { address: 'USDC' }],
    ['tokenHolders', { chainId: '1', address: 'native' }],
    ['collectibles', { address: '0x12' }],
  ] as const)('states the form of the addresses of %s', (operation, path) => {
    expect(() => parse(operation, 'chain_ids=1', path)).toThrow(
      /address is malformed\. .*`0x` and 40 hex digits/,
    )
  })
})
