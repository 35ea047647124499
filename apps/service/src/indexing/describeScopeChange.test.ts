import { expect, it } from 'vitest'
import { parseConfig } from '../config/parseConfig.ts'
import { testAddress } from '../testing/seedChain.ts'
import { describeScopeChange } from './describeScopeChange.ts'

const [one, two] = [testAddress(1), testAddress(2)]

it('tells the settings that differ and no others, as lines of the configuration file', () => {
  const stored = { startBlock: 0, uniswapV2Factories: [one], marketplaces: [two] }
  const present = {
    startBlock: 0,
    wrappedNative: two,
    uniswapV2Factories: [one, two],
    marketplaces: [two],
  }
  const told = describeScopeChange(JSON.stringify(stored), JSON.stringify(present))
  expect(told).toBe(`with "uniswapV2Factories": ["${one}"], "wrappedNative": null`)
  // They are lines of the file as it is read: what a preset brings is taken back by them.
  const lines = JSON.parse(`{${told.slice('with '.length)}}`) as object
  const chains = [{ id: 1, rpcUrls: ['http://127.0.0.1:8545'], ...lines }]
  const [chain] = parseConfig(JSON.stringify({ chains }), 'c.json').chains
  expect(chain?.uniswapV2Factories).toEqual([one])
  expect(chain?.wrappedNative).toBeUndefined()
})

it('tells which contracts alone were indexed, and between which tokens pools were followed', () => {
  const all = JSON.stringify({ startBlock: 0 })
  const some = JSON.stringify({ startBlock: 0, tokens: [one], hubs: [two] })
  expect(describeScopeChange(all, some)).toBe('with "tokens": []')
  expect(describeScopeChange(some, all)).toBe(
    `with "tokens": ["${one}"], and with these in wrappedNative, stablecoins and quoteTokens together: ${two}`,
  )
})
