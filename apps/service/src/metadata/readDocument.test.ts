import { expect, it } from 'vitest'
import { UntrustedFetchError, type UntrustedFetchErrorKind } from '../media/UntrustedFetchError.ts'
import { readDocument } from './readDocument.ts'

const uri = 'https://example.org/1'

it.each([
  ['busy', { state: 'postponed', uri }],
  ['timeout', { state: 'missed', uri }],
  ['status', { state: 'missed', uri }],
  ['address', { state: 'failed', uri }],
] as const satisfies readonly (readonly [UntrustedFetchErrorKind, object])[])(
  'maps the error %s to %j',
  async (kind, outcome) => {
    const read = () => Promise.reject(new UntrustedFetchError(kind, 'failed'))
    expect(await readDocument(read, uri)).toEqual(outcome)
  },
)
