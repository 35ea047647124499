import { expect, test } from 'vitest'
import { formatsOf } from '../formats/formatsOf.ts'
import { warningText } from './warningText.ts'

const formats = formatsOf('en-US')

const whole = { errors: undefined, warnings: [], hasNextPage: false }

test('is empty when everything is shown', () => {
  expect(warningText(whole, formats)).toBe('')
})

test('states in one line what is missing and why', () => {
  expect(
    warningText(
      {
        errors: { error_message: 'Two tokens could not be read.' },
        warnings: [
          { code: 'A', message: 'Chain 5 is not indexed.' },
          { code: 'B', message: '' },
        ],
        hasNextPage: true,
      },
      formats,
    ),
  ).toBe(
    'Two tokens could not be read. Chain 5 is not indexed. This wallet holds more tokens than shown here.',
  )
  expect(warningText({ ...whole, errors: {} }, formats)).toBe('Some tokens could not be read.')
})

test('states once per chain which share is known while a chain is searched', () => {
  const partial = (chain_id: number, share: number) => ({
    code: 'PARTIAL_HISTORY',
    message: `Since ${share}`,
    chain_id,
    share,
  })
  const warnings = [partial(1, 0.25), partial(1, 0.125), partial(8453, 0.5)]
  expect(warningText({ ...whole, warnings }, formats)).toBe(
    'Chain 1 is still searched for this wallet: 12.5% of its blocks are known, so that more may follow. ' +
      'Chain 8453 is still searched for this wallet: 50% of its blocks are known, so that more may follow.',
  )
})
