import { expect, test } from 'vitest'
import { noteText } from './noteText.ts'

const whole = { errors: undefined, warnings: [], hasNextPage: false }

test('says nothing where all is shown', () => {
  expect(noteText(whole)).toBe('')
})

test('says in one line what is missing and why', () => {
  expect(
    noteText({
      errors: { error_message: 'Two tokens could not be read.' },
      warnings: [
        { code: 'A', message: 'Chain 5 is not indexed.' },
        { code: 'B', message: '' },
      ],
      hasNextPage: true,
    }),
  ).toBe(
    'Two tokens could not be read. Chain 5 is not indexed. This wallet holds more tokens than shown here.',
  )
  expect(noteText({ ...whole, errors: {} })).toBe('Some tokens could not be read.')
})
