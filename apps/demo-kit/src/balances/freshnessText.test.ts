import { expect, test } from 'vitest'
import { formatsOf } from '../formats/formatsOf.ts'
import { freshnessText } from './freshnessText.ts'

const formats = formatsOf('en-US')
const responseTime = '2026-11-21T12:34:56Z'
const time = new Date(responseTime).toTimeString().slice(0, 8)

const success = (response_time?: string) => ({ status: 'success', response_time }) as const

test('states that the data is live, and the time of the last change', () => {
  expect(freshnessText(success(responseTime), formats)).toBe(`Live · last change ${time}`)
  expect(freshnessText(success(), formats)).toBe('Live')
})

test('states that stale data is not live, and its time', () => {
  expect(freshnessText({ status: 'error', response_time: responseTime }, formats)).toBe(
    `Not live · as of ${time}`,
  )
  expect(freshnessText({ status: 'error', response_time: undefined }, formats)).toBe('Not live')
})

test.each(['yesterday', '', '2026-13-45T99:99:99Z'])('omits the invalid time %j', (strange) => {
  expect(freshnessText(success(strange), formats)).toBe('Live')
})
