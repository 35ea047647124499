import { balances } from './balances.ts'
import { collectibles } from './collectibles.ts'
import type { FakeOperation } from './FakeOperation.ts'
import { tokenBalance } from './tokenBalance.ts'
import { tokenHolders } from './tokenHolders.ts'
import { tokenInfo } from './tokenInfo.ts'

/** Every operation that the fake service answers. */
export const fakeOperations: readonly FakeOperation[] = [
  tokenInfo,
  tokenHolders,
  balances,
  tokenBalance,
  collectibles,
]
