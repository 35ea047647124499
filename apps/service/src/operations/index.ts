import type { OperationName } from '@headwater/contract'
import { handleBalances } from './balances/handleBalances.ts'
import { handleCollectibles } from './collectibles/handleCollectibles.ts'
import type { Handler } from './Handler.ts'
import { handleTokenBalance } from './tokenBalance/handleTokenBalance.ts'
import { handleTokenHolders } from './tokenHolders/handleTokenHolders.ts'
import { handleTokenInfo } from './tokenInfo/handleTokenInfo.ts'

/** The handler of each operation. */
export const handlers: { readonly [Name in OperationName]: Handler<Name> } = {
  tokenInfo: handleTokenInfo,
  tokenHolders: handleTokenHolders,
  balances: handleBalances,
  tokenBalance: handleTokenBalance,
  collectibles: handleCollectibles,
}
