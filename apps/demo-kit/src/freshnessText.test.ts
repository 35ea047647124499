import { expect, test } from 'vitest'

import { freshnessText } from './freshnessText.ts'

const moment = '2026-11-21T12:34:56Z'
const time = new Date(moment).toTimeString().slice(0, 8)

const success = (response_time?: string) => ({ status: 'success', response_time }) as const

test('says that it is live, and since when this stands there', () => {
  expect(freshnessText(success(moment))).toBe(`Live · last change ${time}`)
  expect(freshnessText(success())).toBe('Live')
})

test('says of old data that they are old, and of when', () => {
  expect(freshnessText({ status: 'error', response_time: moment })).toBe(`Not live · as of ${time}`)
  expect(freshnessText({ status: 'error', response_time: undefined })).toBe('Not live')
})

test.each(['yesterday', '', '2026-13-45T99:99:99Z'])(
  'leaves out %j, which is no time',
  (strange) => {
    expect(freshnessText(success(strange))).toBe('Live')
  },
)
