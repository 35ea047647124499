import { expect, test } from 'vitest'
import { operations } from '@headwater/contract'
import * as entry from './index.ts'

const streams = [...Object.keys(operations), 'price', 'prices', 'portfolio'].map(
  (name) => name[0]!.toUpperCase() + name.slice(1),
)

test('exports two hooks per stream, and what the README lists', () => {
  expect(Object.keys(entry).sort()).toEqual(
    [
      'HeadwaterProvider',
      'useClient',
      'useSnapshot',
      'useSuspenseSnapshot',
      'useUsage',
      'useWaitForChange',
      ...streams.flatMap((name) => [`use${name}`, `useSuspense${name}`]),
    ].sort(),
  )
})
