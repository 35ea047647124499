import { expect, test } from 'vitest'
import { formatsOf } from '../formats/formatsOf.ts'
import { freshnessText } from './freshnessText.ts'

const formats = formatsOf('en-US')
const moment = '2026-11-21T12:34:56Z'
const time = new Date(moment).toTimeString().slice(0, 8)

const success = (response_time?: string) => ({ status: 'success', response_time }) as const

test('says that it is live, and since when this stands there', () => {
  expect(freshnessText(success(moment), formats)).toBe(`Live · last change ${time}`)
  expect(freshnessText(success(), formats)).toBe('Live')
})

test('says of old data that they are old, and of when', () => {
  expect(freshnessText({ status: 'error', response_time: moment }, formats)).toBe(
    `Not live · as of ${time}`,
  )
  expect(freshnessText({ status: 'error', response_time: undefined }, formats)).toBe('Not live')
})

test.each(['yesterday', '', '2026-13-45T99:99:99Z'])(
  'leaves out %j, which is no time',
  (strange) => {
    expect(freshnessText(success(strange), formats)).toBe('Live')
  },
)
