import { expect, it } from 'vitest'
import { compareAmounts } from './Dependencies.ts'
import type { ChainValue } from './readValues.ts'

const head = { number: 2, hash: '0x2' }

/** Compares amounts with those that are known in advance, and with those that a node returns. */
async function compare(
  amounts: Readonly<Record<string, ChainValue>>,
  found: bigint | Promise<bigint | undefined> | undefined,
  read: Readonly<Record<string, ChainValue>> = {},
) {
  const reader = {
    natives: { find: () => found } as never,
    amounts: () => Promise.resolve(new Map(Object.entries(read))),
  }
  const isSameAt = compareAmounts(reader, '0xa', new Map([[1, new Map(Object.entries(amounts))]]))
  return await isSameAt?.(new Map([[1, head]]))
}

it('compares a native amount that is known', async () => {
  expect(await compare({ native: 5n }, 5n)).toBe(true)
  expect(await compare({ native: 5n }, 6n)).toBe(false)
})

it('compares one that is being read', async () => {
  expect(await compare({ native: 5n }, Promise.resolve(5n))).toBe(true)
  expect(await compare({ native: 5n }, Promise.resolve(6n))).toBe(false)
})

it('reads amounts that are not known', async () => {
  expect(await compare({ native: 5n }, undefined, { native: 5n })).toBe(true)
  expect(await compare({ native: 5n }, Promise.resolve(undefined), { native: 6n })).toBe(false)
  expect(await compare({ native: 5n }, undefined)).toBe(false)
  const both = { native: 5n, '0xb': 7n }
  expect(await compare(both, 5n, both)).toBe(true)
  expect(await compare(both, 5n, { ...both, '0xb': 8n })).toBe(false)
  expect(await compare({ '0xb': 'unreadable' }, 5n, { '0xb': 'unreadable' })).toBe(true)
})

it('compares nothing without amounts, and not with a chain that is not available', async () => {
  expect(await compare({}, 5n)).toBeUndefined()
  const isSameAt = compareAmounts({} as never, '0xa', new Map([[1, new Map([['native', 5n]])]]))
  expect(isSameAt?.(new Map())).toBe(false)
})
