import * as definitions from 'viem/chains'
import { expect, it } from 'vitest'
import { testChainConfig } from '../../../test/testChainConfig.ts'
import { isChainName } from './isChainName.ts'
import { simplifyName } from './simplifyName.ts'

// Loading the definitions takes seconds on a busy machine, so that no request may wait for it: what is needed of them is
// written down. After an update of viem, `vitest -u` writes it anew.
it('knows the names of all chains that viem knows', async () => {
  const names = Object.entries(definitions).flatMap(([key, value]) =>
    typeof value === 'object' && 'name' in value && 'id' in value
      ? [simplifyName(key), simplifyName(value.name)]
      : [],
  )
  const sorted = [...new Set(names)].filter((name) => name !== '').sort()
  const text = `${JSON.stringify(sorted, null, 2)}\n`
  await expect(text).toMatchFileSnapshot('./wellKnownChainNames.json')
})

it('takes a word for a name however it is written, and leaves tags alone', () => {
  const configured = [testChainConfig(7, { name: 'Seven Hills' })]
  for (const name of ['seven_hills', 'SevenHills', 'ethereum', 'OP Mainnet', 'base']) {
    expect({ name, is: isChainName(name, configured) }).toEqual({ name, is: true })
  }
  for (const word of ['default', 'mainnet', 'testnet', 'localhost', 'nonsense', '']) {
    expect({ word, is: isChainName(word, configured) }).toEqual({ word, is: false })
  }
})
