import { expect, test } from 'vitest'
import { operations } from '@headwater/contract'
import * as entry from './index.ts'

const streams = [...Object.keys(operations), 'price', 'prices', 'portfolio'].map(
  (name) => name[0]!.toUpperCase() + name.slice(1),
)

test('exports a composable per stream, and what the README lists', () => {
  expect(Object.keys(entry).sort()).toEqual(
    [
      'headwaterPlugin',
      'provideClient',
      'useClient',
      'useSnapshot',
      'useUsage',
      'useWaitForChange',
      ...streams.map((name) => `use${name}`),
    ].sort(),
  )
})
