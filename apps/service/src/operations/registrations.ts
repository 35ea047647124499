import {
  isBalancesParameters,
  isCollectiblesParameters,
  isTokenBalanceParameters,
  isTokenHoldersParameters,
  isTokenInfoParameters,
} from '@headwater/contract'
import { operations } from '@headwater/contract/schemas'
import { answerBalances } from './balances/answerBalances.ts'
import { answerCollectibles } from './collectibles/answerCollectibles.ts'
import { register } from './register.ts'
import { answerTokenBalance } from './tokenBalance/answerTokenBalance.ts'
import { answerTokenHolders } from './tokenHolders/answerTokenHolders.ts'
import { answerTokenInfo } from './tokenInfo/answerTokenInfo.ts'

/** Every operation that this service answers. A new one takes its declaration, a folder beside this file and a line. */
export const registrations = [
  register(operations.tokenInfo, isTokenInfoParameters, answerTokenInfo),
  register(operations.tokenHolders, isTokenHoldersParameters, answerTokenHolders),
  register(operations.balances, isBalancesParameters, answerBalances),
  register(operations.tokenBalance, isTokenBalanceParameters, answerTokenBalance),
  register(operations.collectibles, isCollectiblesParameters, answerCollectibles),
] as const
