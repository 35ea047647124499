import type { BalancesResponse } from '@headwater/core'
import { expect, test } from 'vitest'

import { noteText } from './noteText.ts'

const answer: BalancesResponse = { wallet_address: '0x', balances: [] }

test('says nothing of a whole answer', () => {
  expect(noteText(answer)).toBe('')
  expect(noteText({ ...answer, warnings: [] })).toBe('')
})

test('says in one line what is missing and why', () => {
  expect(
    noteText({
      ...answer,
      errors: { error_message: 'Two tokens could not be read.' },
      warnings: [
        { code: 'A', message: 'Chain 5 is not indexed.' },
        { code: 'B', message: '' },
      ],
      next_offset: 'abc',
    }),
  ).toBe(
    'Two tokens could not be read. Chain 5 is not indexed. This wallet holds more tokens than shown here.',
  )
  expect(noteText({ ...answer, errors: {} })).toBe('Some tokens could not be read.')
})

test('bears lists that are none', () => {
  const strange = { ...answer, warnings: [null, 'x', { code: 'C' }] } as unknown as BalancesResponse
  expect(noteText(strange)).toBe('')
  expect(noteText({ ...answer, warnings: 'all' } as unknown as BalancesResponse)).toBe('')
})
