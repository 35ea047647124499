import { isBalancesParameters } from '@headwater/contract'
import { operations } from '@headwater/contract/schemas'
import { answerBalances } from './balances/answerBalances.ts'
import { register } from './register.ts'

/** Every operation that this service answers. A new one takes its declaration, a folder beside this file and a line. */
export const registrations = [
  register(operations.balances, isBalancesParameters, answerBalances),
] as const
