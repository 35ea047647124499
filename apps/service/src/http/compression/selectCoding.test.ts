import { expect, it } from 'vitest'
import { selectCoding } from './selectCoding.ts'

it.each([
  [undefined, undefined],
  ['', undefined],
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip', 'gzip'],
  ['GZIP;Q=0.5', 'gzip'],
  ['br;q=0.5, gzip;q=0.8', 'gzip'],
  ['br;q=0, *', 'gzip'],
  ['*;q=0.1', 'br'],
  ['*;q=0', undefined],
  ['gzip;q=0.5, identity', undefined],
  ['identity;q=0.5, gzip', 'gzip'],
  ['gzip;q=2', undefined],
  ['deflate, zstd', undefined],
])('Accept-Encoding: %s selects %s', (header, coding) => {
  expect(selectCoding(header)).toBe(coding)
})
