import type { BalancesResponse, Snapshot } from '@headwater/core'
import { NetworkError } from '@headwater/core'
import { expect, test } from 'vitest'

import { freshnessText } from './freshnessText.ts'

const refetch = () => Promise.resolve()
const moment = '2026-11-21T12:34:56Z'
const time = new Date(moment).toTimeString().slice(0, 8)

const success = (response_time?: string): Snapshot<BalancesResponse> => ({
  status: 'success',
  data: {
    wallet_address: '0x',
    balances: [],
    ...(response_time !== undefined && { response_time }),
  },
  error: null,
  isPlaceholderData: false,
  refetch,
})

const failed = (data: BalancesResponse | undefined): Snapshot<BalancesResponse> => ({
  status: 'error',
  data,
  error: new NetworkError('http://service.test', new TypeError('Failed to fetch')),
  isPlaceholderData: false,
  refetch,
})

test('says that it is live, and since when this stands there', () => {
  expect(freshnessText(success(moment))).toBe(`Live · last change ${time}`)
  expect(freshnessText(success())).toBe('Live')
})

test('says of old data that they are old, and of when', () => {
  expect(freshnessText(failed(success(moment).data))).toBe(`Not live · as of ${time}`)
  expect(freshnessText(failed(undefined))).toBe('Not live')
})

test.each(['yesterday', '', '2026-13-45T99:99:99Z'])(
  'leaves out %j, which is no time',
  (strange) => {
    expect(freshnessText(success(strange))).toBe('Live')
  },
)
