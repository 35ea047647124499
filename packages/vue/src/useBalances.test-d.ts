import type { Balance, BalancesParameters, BalancesSnapshot } from '@headwater/core'
import { expectTypeOf, test } from 'vitest'
import { reactive, ref, type ComputedRef } from 'vue'

import { useBalances } from './index.ts'

test('gives the answer, or what select makes of it', () => {
  expectTypeOf(useBalances({ address: '0x' })).toEqualTypeOf<ComputedRef<BalancesSnapshot>>()
  expectTypeOf(useBalances({ address: '0x' }, { select: (rows) => rows[0] })).toEqualTypeOf<
    ComputedRef<BalancesSnapshot<Balance | undefined>>
  >()
})

test('takes a value, a ref, a getter and a reactive object', () => {
  useBalances(ref({ address: '0x' }))
  useBalances(() => ({ address: '0x' }))
  useBalances(reactive<BalancesParameters>({ address: '0x' }))
  useBalances({ address: '0x' }, () => ({ enabled: false }))
})

test('takes no parameter that the operation does not have', () => {
  // @ts-expect-error a wallet is needed
  useBalances({})
  // @ts-expect-error chain ids come as a list
  useBalances(() => ({ address: '0x', chainIds: 1 }))
  // @ts-expect-error no such option
  useBalances({ address: '0x' }, { pollingInterval: 1 })
})
