import { type BalancesParameters, SPAM_LIQUIDITY_USD } from '@headwater/contract'
import type { Generator } from './Generator.ts'
import { priceAmount, type PricedAmount, toBalance } from './toBalance.ts'

/** The balances of a wallet by descending value, unpriced last. */
export const balances: Generator<'balances'> = {
  requestFields: ({ address }) => ({ wallet_address: address.toLowerCase() }),
  rows(parameters, context) {
    const { world, chains } = context
    const wallet = parameters.address.toLowerCase()
    const { ledger } = world
    return [...ledger.tokensOf(wallet)]
      .filter((token) => chains.includes(token.chain))
      .map((token) => priceAmount(world, token, ledger.amountOf(token, wallet)))
      .filter((priced) => priced.amount > 0n && isSelected(priced, parameters))
      .map((priced) => {
        const { token, valueUsd } = priced
        return {
          key: [
            ...(valueUsd === undefined ? [1, 0] : [0, -valueUsd]),
            token.chainId,
            token.address,
          ],
          item: () => toBalance(priced, parameters, context),
        }
      })
  },
}

function isSelected(
  { token: { address, poolSize = 0 }, price }: PricedAmount,
  { filters, excludeSpamTokens }: BalancesParameters,
): boolean {
  const isNative = address === 'native'
  if (filters !== undefined && isNative !== (filters === 'native')) {
    return false
  }
  return !excludeSpamTokens || isNative || (price !== undefined && poolSize >= SPAM_LIQUIDITY_USD)
}
