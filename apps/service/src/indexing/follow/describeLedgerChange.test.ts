import { expect, it } from 'vitest'
import { testAddress } from '../../../test/seedChain.ts'
import { parseConfig } from '../../config/parseConfig.ts'
import { describeLedgerChange } from './describeLedgerChange.ts'

const one = testAddress(1)
const two = testAddress(2)
const ledger = { startBlock: 0, wrappedNativeEmitsTransfers: false }

it('lists only the settings that differ, as lines of the configuration file', () => {
  const stored = { ...ledger, tokens: [one] }
  const configured = { ...ledger, wrappedNative: two, tokens: [one, two] }
  const description = describeLedgerChange(stored, configured)
  expect(description).toBe(`with "tokens": ["${one}"], "wrappedNative": null`)
  // In the file they override the preset.
  const lines = JSON.parse(`{${description.slice('with '.length)}}`) as object
  const chains = [{ id: 1, rpcUrls: ['http://127.0.0.1:8545'], ...lines }]
  const [chain] = parseConfig(JSON.stringify({ chains }), 'c.json').chains
  expect(chain?.tokens).toEqual([one])
  expect(chain?.wrappedNative).toBeUndefined()
})

it('restores a missing list as an empty one', () => {
  expect(describeLedgerChange(ledger, { ...ledger, tokens: [one] })).toBe('with "tokens": []')
  const legacyCollections = [{ address: one, events: [], ownerOf: '' }]
  expect(describeLedgerChange(ledger, { ...ledger, legacyCollections })).toBe(
    'with "legacyCollections": []',
  )
})
