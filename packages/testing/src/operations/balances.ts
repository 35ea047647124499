import {
  type BalancesParameters,
  isBalancesParameters,
  SPAM_LIQUIDITY_USD,
} from '@headwater/contract'
import { operations } from '@headwater/contract/schemas'
import type { WorldToken } from '../world/FakeToken.ts'
import { fakeOperation } from './FakeOperation.ts'
import { toBalance } from './toBalance.ts'
import { priceOf, worthOf } from './tokenFields.ts'

/** What a wallet has, by its worth downwards, unpriced last. */
export const balances = fakeOperation(operations.balances, isBalancesParameters, {
  about: ({ address }) => ({ wallet_address: address.toLowerCase() }),
  rows(parameters, context) {
    const { world, chains } = context
    const wallet = parameters.address.toLowerCase()
    return [...world.ledger.tokensOf(wallet)]
      .filter(
        (token) =>
          chains.includes(token.chain) &&
          isAsked(token, parameters, priceOf(world, token) !== undefined),
      )
      .map((token) => ({ token, amount: world.ledger.amountOf(token, wallet) }))
      .filter(({ amount }) => amount > 0n)
      .map(({ token, amount }) => {
        const worth = worthOf(world, token, amount)
        return {
          key: [...(worth === undefined ? [1, 0] : [0, -worth]), token.chainId, token.address],
          item: () => toBalance(token, amount, parameters, context),
        }
      })
  },
})

function isAsked(
  { address, poolSize = 0 }: WorldToken,
  { filters, excludeSpamTokens }: BalancesParameters,
  isPriced: boolean,
): boolean {
  const isNative = address === 'native'
  if (filters !== undefined && isNative !== (filters === 'native')) return false
  return !excludeSpamTokens || isNative || (isPriced && poolSize >= SPAM_LIQUIDITY_USD)
}
