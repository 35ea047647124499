import type { TokenError } from '@headwater/contract'
import type { PricedToken } from '../pricedTokens/priceToken.ts'
import { compareAddresses } from './BalanceEntry.ts'

/** Most tokens per chain that a response reads from nodes: any number can be sent to a wallet. */
const maxReads = 200
/** Most errors for tokens above that limit. */
const maxErrors = 1000

/**
 * Limits the balances that a response reads from nodes to the tokens with the most liquidity on each chain.
 *
 * @returns the tokens to read, and an error for each other one.
 */
export function limitChainReads(tokens: readonly PricedToken[]): {
  readonly tokens: readonly PricedToken[]
  readonly errors: readonly TokenError[]
} {
  const selected: PricedToken[] = []
  const errors: TokenError[] = []
  const counts = new Map<number, number>()
  for (const priced of tokens.toSorted(compareByLiquidity)) {
    const { chain, address } = priced.token
    const count = counts.get(chain.id) ?? 0
    counts.set(chain.id, count + 1)
    if (count < maxReads) {
      selected.push(priced)
    } else if (errors.length < maxErrors) {
      errors.push({
        chain_id: chain.id,
        address,
        description: `A response reads at most ${maxReads} balances from the chain; request the balance of this token separately`,
      })
    }
  }
  return { tokens: selected, errors }
}

function compareByLiquidity(a: PricedToken, b: PricedToken): number {
  return liquidityOf(b) - liquidityOf(a) || compareAddresses(a.token.address, b.token.address)
}

/** A stablecoin without a pool can be redeemed in any amount. */
function liquidityOf({ price }: PricedToken): number {
  return price ? (price.poolSize ?? Number.MAX_VALUE) : -1
}
