import type { OperationName } from '@headwater/contract'
import { balances } from './balances.ts'
import { collectibles } from './collectibles.ts'
import type { Generator } from './Generator.ts'
import { tokenBalance } from './tokenBalance.ts'
import { tokenHolders } from './tokenHolders.ts'
import { tokenInfo } from './tokenInfo.ts'

/** The generator of each operation. */
export const generators: { readonly [Name in OperationName]: Generator<Name> } = {
  tokenInfo,
  tokenHolders,
  balances,
  tokenBalance,
  collectibles,
}
