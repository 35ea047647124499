import { expect, test } from 'vitest'
import { formatsOf } from '../formats/formatsOf.ts'
import { tokensText } from './tokensText.ts'

test.each([
  [1, undefined, '1 token'],
  [1200, undefined, '1,200 tokens'],
  [1, 0, '0 of 1 token'],
  [2, 1, '1 of 2 tokens'],
  [2, 2, '2 tokens'],
])('counts %j tokens, of which %j are shown', (all, shown, text) => {
  expect(tokensText(all, formatsOf('en-US'), shown)).toBe(text)
})
