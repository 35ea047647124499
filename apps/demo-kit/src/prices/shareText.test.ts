import { expect, test } from 'vitest'
import { formatsOf } from '../formats/formatsOf.ts'
import { shareText } from './shareText.ts'

const formats = formatsOf('en-US')

test.each([
  ['25', '100', '25%'],
  ['1', '3', '33.33%'],
  ['0', '3', '0%'],
  ['1', `1${'0'.repeat(30)}`, '< 0.01%'],
  [`9${'0'.repeat(77)}`, `1${'0'.repeat(78)}`, '90%'],
  ['5', '0', '—'],
  ['5', undefined, '—'],
  ['plenty', '7', '—'],
])('writes %s of %s as %s', (amount, supply, text) => {
  expect(shareText(amount, supply, formats)).toBe(text)
})
