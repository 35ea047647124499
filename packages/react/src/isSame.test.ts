import { expect, test } from 'vitest'

import { isSame } from './isSame.ts'

const select = () => 1

test.each([
  [{}, {}],
  [
    { chainId: 1, address: 'native' },
    { address: 'native', chainId: 1 },
  ],
  [
    { chainIds: [1, 10], select },
    { chainIds: [1, 10], select },
  ],
  [{ limit: NaN }, { limit: NaN }],
  [[select], [select]],
])('%j is the same as %j', (one, other) => {
  expect(isSame(one, other)).toBe(true)
})

test.each([
  [{ chainId: 1 }, { chainId: 10 }],
  [{ chainId: 1 }, {}],
  [{}, { chainId: 1 }],
  [{ limit: undefined }, { chainId: undefined }],
  [{ limit: undefined }, { chainId: 1 }],
  [{ chainIds: [1, 10] }, { chainIds: [10, 1] }],
  [{ chainIds: [1] }, { chainIds: 1 }],
  [{ select: () => 1 }, { select: () => 1 }],
  [[{ chainId: 1 }], [{ chainId: 1 }]],
])('%j is not the same as %j', (one, other) => {
  expect(isSame(one, other)).toBe(false)
})
