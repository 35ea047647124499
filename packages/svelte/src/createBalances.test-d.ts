import type { Balance, BalancesParameters, BalancesSnapshot } from '@headwater/core'
import { readable, type Readable } from 'svelte/store'
import { expectTypeOf, test } from 'vitest'

import { createBalances } from './index.ts'

test('gives the answer, or what select makes of it', () => {
  expectTypeOf(createBalances({ address: '0x' })).toEqualTypeOf<Readable<BalancesSnapshot>>()
  expectTypeOf(createBalances({ address: '0x' }, { select: (rows) => rows[0] })).toEqualTypeOf<
    Readable<BalancesSnapshot<Balance | undefined>>
  >()
})

test('takes a value, a getter and a store', () => {
  createBalances(() => ({ address: '0x' }))
  createBalances(readable<BalancesParameters>({ address: '0x' }))
  createBalances({ address: '0x' }, () => ({ enabled: false }))
})

test('takes no parameter that the operation does not have', () => {
  // @ts-expect-error a wallet is needed
  createBalances({})
  // @ts-expect-error chain ids come as a list
  createBalances(() => ({ address: '0x', chainIds: 1 }))
  // @ts-expect-error no such option
  createBalances({ address: '0x' }, { pollingInterval: 1 })
})
