import * as definitions from 'viem/chains'
import { expect, it } from 'vitest'

// After an update of viem, `vitest -u` updates the list.
it('has all chains that viem defines', async () => {
  const chains = Object.entries(definitions).flatMap(([key, value]) => {
    if (typeof value !== 'object' || !('id' in value)) {
      return []
    }
    const { id, name, nativeCurrency } = value
    const { name: currency, symbol, decimals } = nativeCurrency
    const testnet = 'testnet' in value && value.testnet
    return [
      {
        id,
        key,
        name,
        ...(testnet && { testnet }),
        nativeCurrency: { name: currency, symbol, decimals },
      },
    ]
  })
  expect(chains.length).toBeGreaterThan(700)
  const text = `${JSON.stringify(chains, null, 2)}\n`
  await expect(text).toMatchFileSnapshot('./wellKnownChains.json')
})
