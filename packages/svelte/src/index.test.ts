import { expect, test } from 'vitest'
import { operations } from '@headwater/contract'
import * as entry from './index.ts'

const streams = [...Object.keys(operations), 'price', 'prices', 'portfolio'].map(
  (name) => name[0]!.toUpperCase() + name.slice(1),
)

test('exports a store per stream, and what the README lists', () => {
  expect(Object.keys(entry).sort()).toEqual(
    [
      'createSnapshot',
      'createUsage',
      'createWaitForChange',
      'getClient',
      'setClient',
      ...streams.map((name) => `create${name}`),
    ].sort(),
  )
})
