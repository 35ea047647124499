import { expect, test } from 'vitest'
import { warningText } from './warningText.ts'

const whole = { errors: undefined, warnings: [], hasNextPage: false }

test('is empty when everything is shown', () => {
  expect(warningText(whole)).toBe('')
})

test('states in one line what is missing and why', () => {
  expect(
    warningText({
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
  expect(warningText({ ...whole, errors: {} })).toBe('Some tokens could not be read.')
})
