import { expect, test } from 'vitest'
import { formatsOf } from '../formats/formatsOf.ts'
import { changeText } from './changeText.ts'

const formats = formatsOf('en-US')

test('states the change of a total in USD and in percent', () => {
  expect(changeText({ change_usd: 6, percent: 25 }, formats)).toBe('+$6.00 (+25.00%) in 24 h')
})

test('states no change without a past value, as in an empty wallet', () => {
  expect(changeText({ change_usd: 0 }, formats)).toBe('\u00a0')
  expect(changeText(undefined, formats)).toBe('\u00a0')
})
