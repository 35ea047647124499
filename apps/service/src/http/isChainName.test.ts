import { expect, it } from 'vitest'
import { testChainConfig } from '../../test/testChainConfig.ts'
import { isChainName } from './isChainName.ts'

it('recognizes names in every spelling, and no tags', () => {
  const configured = [testChainConfig(7, { name: 'Seven Hills' })]
  for (const name of ['seven_hills', 'SevenHills', 'ethereum', 'OP Mainnet', 'base']) {
    expect({ name, is: isChainName(name, configured) }).toEqual({ name, is: true })
  }
  for (const word of ['default', 'mainnet', 'testnet', 'localhost', 'nonsense', '']) {
    expect({ word, is: isChainName(word, configured) }).toEqual({ word, is: false })
  }
})
