import * as definitions from 'viem/chains'
import { expect, it } from 'vitest'
import { testChainConfig } from '../../test/testChainConfig.ts'
import { isChainName, simplifyName } from './isChainName.ts'

// Importing the definitions takes seconds, so the service imports a list of their names. After an update of viem,
// `vitest -u` updates the list.
it('has the names of all chains that viem defines', async () => {
  const names = Object.entries(definitions).flatMap(([key, value]) =>
    typeof value === 'object' && 'name' in value && 'id' in value
      ? [simplifyName(key), simplifyName(value.name)]
      : [],
  )
  const sorted = [...new Set(names)].filter((name) => name !== '').sort()
  const text = `${JSON.stringify(sorted, null, 2)}\n`
  await expect(text).toMatchFileSnapshot('./wellKnownChainNames.json')
})

it('recognizes names in every spelling, and no tags', () => {
  const configured = [testChainConfig(7, { name: 'Seven Hills' })]
  for (const name of ['seven_hills', 'SevenHills', 'ethereum', 'OP Mainnet', 'base']) {
    expect({ name, is: isChainName(name, configured) }).toEqual({ name, is: true })
  }
  for (const word of ['default', 'mainnet', 'testnet', 'localhost', 'nonsense', '']) {
    expect({ word, is: isChainName(word, configured) }).toEqual({ word, is: false })
  }
})
