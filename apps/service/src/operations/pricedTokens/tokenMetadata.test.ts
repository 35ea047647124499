import { expect, it } from 'vitest'
import { testAddress } from '../../../test/seedChain.ts'
import { testChainConfig } from '../../../test/testChainConfig.ts'
import { tokenMetadata } from './tokenMetadata.ts'

const chain = testChainConfig(7)
const texts = { name: undefined, symbol: undefined, decimals: 18 }
const known = { token: { chain, address: testAddress(1), ...texts } }
const unknown = { token: { chain, address: testAddress(2), ...texts } }
const links = {
  logo: (chainId: number, token: string) =>
    token === testAddress(1) ? `https://api/${chainId}/${token}` : undefined,
  homePage: (chainId: number, token: string) =>
    token === testAddress(1) ? `https://home/${chainId}` : undefined,
}
const [logo, url] = [`https://api/7/${testAddress(1)}`, 'https://home/7']

it('metadata=logo,url adds exactly what is asked for', () => {
  expect(tokenMetadata(known, ['logo', 'url'], links)).toEqual({ logo, url })
  expect(tokenMetadata(known, ['logo'], links)).toEqual({ logo })
  expect(tokenMetadata(known, ['url'], links)).toEqual({ url })
})

it('metadata leaves out what is not known', () => {
  expect(tokenMetadata(unknown, ['logo', 'url', 'pools'], links)).toEqual({})
})
