import type { Generator } from './Generator.ts'
import { requireToken } from './requireToken.ts'
import { priceAmount, toBalance } from './toBalance.ts'

/** The balance of one token, also when it is zero. */
export const tokenBalance: Generator<'tokenBalance'> = {
  requestFields: ({ address }) => ({ wallet_address: address.toLowerCase() }),
  rows(parameters, context) {
    const token = requireToken(context, parameters.tokenAddress, 'token_address')
    const amount = context.world.ledger.amountOf(token, parameters.address.toLowerCase())
    return [
      {
        key: [],
        item: () => toBalance(priceAmount(context.world, token, amount), parameters, context),
      },
    ]
  },
}
