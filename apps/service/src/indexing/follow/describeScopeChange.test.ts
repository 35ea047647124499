import { expect, it } from 'vitest'
import { testAddress } from '../../../test/seedChain.ts'
import { parseConfig } from '../../config/parseConfig.ts'
import { describeScopeChange } from './describeScopeChange.ts'

const [one, two] = [testAddress(1), testAddress(2)]

it('lists only the settings that differ, as lines of the configuration file', () => {
  const stored = { startBlock: 0, uniswapV2Factories: [one], marketplaces: [two] }
  const configured = {
    startBlock: 0,
    wrappedNative: two,
    uniswapV2Factories: [one, two],
    marketplaces: [two],
  }
  const description = describeScopeChange(JSON.stringify(stored), JSON.stringify(configured))
  expect(description).toBe(`with "uniswapV2Factories": ["${one}"], "wrappedNative": null`)
  // In the file they override the preset.
  const lines = JSON.parse(`{${description.slice('with '.length)}}`) as object
  const chains = [{ id: 1, rpcUrls: ['http://127.0.0.1:8545'], ...lines }]
  const [chain] = parseConfig(JSON.stringify({ chains }), 'c.json').chains
  expect(chain?.uniswapV2Factories).toEqual([one])
  expect(chain?.wrappedNative).toBeUndefined()
})

it('lists the tokens that were indexed, and the quote tokens of pools', () => {
  const all = JSON.stringify({ startBlock: 0 })
  const some = JSON.stringify({ startBlock: 0, tokens: [one], hubs: [two] })
  expect(describeScopeChange(all, some)).toBe('with "tokens": []')
  const legacy = JSON.stringify({ startBlock: 0, legacyCollections: [{ address: one }] })
  expect(describeScopeChange(all, legacy)).toBe('with "legacyCollections": []')
  expect(describeScopeChange(some, all)).toBe(
    `with "tokens": ["${one}"], and with these in wrappedNative, stablecoins and quoteTokens together: ${two}`,
  )
})
