import { expect, it } from 'vitest'
import { spamText } from './spamText.ts'

it('describes known signs, names others, and is empty without any', () => {
  const address = `0x${'12'.repeat(20)}`
  const spam_signals = [{ code: 'SOLE_PROVIDER', address }, { code: 'URL' }, { code: 'LATER' }]
  expect(spamText({ chain_id: 1, token_metadata: { spam_signals } })).toBe(
    'All liquidity is of 0x1212…1212. Its name has a URL. LATER.',
  )
  expect(spamText({ chain_id: 1, token_metadata: {} })).toBe('')
  expect(spamText(undefined)).toBe('')
})
