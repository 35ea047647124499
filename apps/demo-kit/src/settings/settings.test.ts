import { expect, test } from 'vitest'
import { readSettings, withRecent } from './readSettings.ts'

const wallet = (digit: string) => `0x${digit.repeat(40)}`
const defaults = readSettings(null)

test.each(['', 'null', '[]', '{', '{"theme":"pink","locale":"xx","budget":-1,"recentWallets":5}'])(
  'returns the defaults for %j',
  (text) => {
    expect(readSettings(text)).toEqual(defaults)
  },
)

test('reads what was stored', () => {
  const settings = {
    theme: 'dark',
    locale: 'de-CH',
    recentWallets: [wallet('a')],
    hidesSmall: true,
    hidesSpam: true,
    budget: 24,
  }
  expect(readSettings(JSON.stringify(settings))).toEqual(settings)
})

test('keeps the last five wallets, each once, and ignores invalid addresses', () => {
  let recent: readonly string[] = []
  for (const digit of 'abcdefa') {
    recent = withRecent(recent, wallet(digit).toUpperCase().replace('X', 'x'))
  }
  expect(recent).toEqual([...'afedc'].map(wallet))
  expect(withRecent(recent, '0x12')).toBe(recent)
})
