import {
  isBalancesParameters,
  isCollectiblesParameters,
  isTokenHoldersParameters,
} from '@headwater/contract'
import { operations } from '@headwater/contract/schemas'
import { answerBalances } from './balances/answerBalances.ts'
import { answerCollectibles } from './collectibles/answerCollectibles.ts'
import { register } from './register.ts'
import { answerTokenHolders } from './tokenHolders/answerTokenHolders.ts'

/** Every operation that this service answers. A new one takes its declaration, a folder beside this file and a line. */
export const registrations = [
  register(operations.tokenHolders, isTokenHoldersParameters, answerTokenHolders),
  register(operations.balances, isBalancesParameters, answerBalances),
  register(operations.collectibles, isCollectiblesParameters, answerCollectibles),
] as const
