import { expect, it } from 'vitest'
import type { BalancesParameters } from '@headwater/contract'
import { testAddress } from '../../../test/seedChain.ts'
import { testChainConfig } from '../../../test/testChainConfig.ts'
import { toBalance } from './toBalance.ts'

const known = testAddress(1)
const unknown = testAddress(2)
const logo = `https://api/7/${known}`
const url = 'https://home/7'
const links = {
  logo: (chainId: number, token: string) =>
    token === known ? `https://api/${chainId}/${token}` : undefined,
  homePage: (chainId: number, token: string) =>
    token === known ? `https://home/${chainId}` : undefined,
}

function metadataOf(address: string, metadata: BalancesParameters['metadata']) {
  const texts = { name: undefined, symbol: undefined, decimals: 18 }
  const holding = { token: { chain: testChainConfig(7), address, ...texts }, amount: 1n }
  const extras = {
    historicalPrices: undefined,
    metadata,
    books: undefined,
    pastBooks: undefined,
    findAuditedBlock: undefined,
    links,
  }
  return toBalance(holding, extras).token_metadata
}

it('token_metadata has exactly the requested fields', () => {
  expect(metadataOf(known, ['logo', 'url'])).toEqual({ logo, url })
  expect(metadataOf(known, ['logo'])).toEqual({ logo })
  expect(metadataOf(known, ['url'])).toEqual({ url })
  expect(metadataOf(known, undefined)).toBeUndefined()
})

it('token_metadata omits unknown fields', () => {
  expect(metadataOf(unknown, ['logo', 'url', 'pools'])).toEqual({})
})
