import { describe, expect, it } from 'vitest'
import { openApi, parseChangesRequest, parseWait } from '../schemas.ts'

const wallet = '0xD8dA6BF26964aF9D7eEd9e03E53415D37aA96045'
const parse = (query: string) =>
  parseChangesRequest(new URLSearchParams(query), (chainId) => chainId < 100)

describe('parseChangesRequest', () => {
  it('collects the subjects of each chain, in lower case and once', () => {
    const { chains } = parse(
      `wallets=1:${wallet},1:${wallet.toLowerCase()},10:${wallet}&tokens=1:native`,
    )
    const lower = wallet.toLowerCase()
    expect([...chains]).toEqual([
      [1, { wallets: new Set([lower]), tokens: new Set(['native']), holders: new Set() }],
      [10, { wallets: new Set([lower]), tokens: new Set(), holders: new Set() }],
    ])
  })

  it.each([
    ['', 'wallets', 'INVALID_PARAMETER'],
    ['include=responses', 'wallets', 'INVALID_PARAMETER'],
    [`wallets=${wallet}`, 'wallets', 'INVALID_PARAMETER'],
    ['wallets=1:native', 'wallets', 'INVALID_PARAMETER'],
    ['tokens=0:native', 'tokens', 'INVALID_PARAMETER'],
    [`holders=1:${wallet}&include=rows`, 'include', 'INVALID_PARAMETER'],
    [`tokens=${Array(151).fill('1:native').join()}`, 'tokens', 'INVALID_PARAMETER'],
    [`holders=100:${wallet}`, 'holders', 'CHAIN_NOT_SUPPORTED'],
  ])('rejects %s, naming the parameter', (query, param, code) => {
    expect(() => parse(query)).toThrow(expect.objectContaining({ param, code }))
  })
})

it('is part of the OpenAPI document, with its key and headers', () => {
  const { get } = openApi({ version: '1.0.0' }).paths['/v1/evm/changes']!
  expect(get).not.toHaveProperty('security')
  expect(get.parameters.map(({ name }) => name)).toEqual([
    ...['wallets', 'tokens', 'holders', 'include', 'Last-Event-ID', 'Prefer'],
  ])
})

it('reads the seconds of `Prefer: wait`', () => {
  expect([null, 'wait=9', 'respond-async, wait="90"'].map(parseWait)).toEqual([undefined, 9, 50])
})
