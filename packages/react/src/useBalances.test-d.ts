import type { Balance, BalancesSnapshot } from '@headwater/core'
import { expectTypeOf, test } from 'vitest'

import { useBalances, useClient } from './index.ts'

test('gives the answer, or what select makes of it', () => {
  expectTypeOf(useBalances({ address: '0x' })).toEqualTypeOf<BalancesSnapshot>()
  expectTypeOf(useBalances({ address: '0x' }, { select: (rows) => rows[0] })).toEqualTypeOf<
    BalancesSnapshot<Balance | undefined>
  >()
})

test('knows data once the status is success, and the error once it is error', () => {
  const snapshot = useBalances({ address: '0x' })
  if (snapshot.status === 'success') expectTypeOf(snapshot.data).toEqualTypeOf<readonly Balance[]>()
  if (snapshot.status === 'error') expectTypeOf(snapshot.error.isRetryable).toEqualTypeOf<boolean>()
})

test('finds the client by itself', () => {
  expectTypeOf(useClient).parameters.toEqualTypeOf<[]>()
})

test('takes no parameter that the operation does not have', () => {
  // @ts-expect-error a wallet is needed
  useBalances({})
  // @ts-expect-error chain ids come as a list
  useBalances({ address: '0x', chainIds: 1 })
  // @ts-expect-error no such option
  useBalances({ address: '0x' }, { pollingInterval: 1 })
})
