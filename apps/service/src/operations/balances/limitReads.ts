import type { TokenError } from '@headwater/contract'
import type { PricedToken } from '../pricedTokens/priceToken.ts'

/** So many tokens of a chain are read from its nodes for one answer: anybody can give a wallet any number of odd tokens. */
const MAXIMUM_READ = 200
/** So many that are not read are named. */
const MAXIMUM_NAMED = 1000

/**
 * Says which tokens that only the chain tells are read for an answer: of each chain those with the deepest pools.
 *
 * @returns them, and an error for each other one.
 */
export function limitReads(tokens: readonly PricedToken[]): {
  readonly read: readonly PricedToken[]
  readonly errors: readonly TokenError[]
} {
  const read: PricedToken[] = []
  const errors: TokenError[] = []
  const count = new Map<number, number>()
  for (const priced of tokens.toSorted(compareByDepth)) {
    const { chain, address } = priced.token
    const before = count.get(chain.id) ?? 0
    count.set(chain.id, before + 1)
    if (before < MAXIMUM_READ) {
      read.push(priced)
    } else if (errors.length < MAXIMUM_NAMED) {
      errors.push({
        chain_id: chain.id,
        address,
        description: `Only ${MAXIMUM_READ} tokens whose amounts the chain alone tells are read for one answer; ask for this one by itself`,
      })
    }
  }
  return { read, errors }
}

function compareByDepth(a: PricedToken, b: PricedToken): number {
  const [depthA, depthB] = [depthOf(a), depthOf(b)]
  if (depthA !== depthB) {
    return depthB - depthA
  }
  return a.token.address < b.token.address ? -1 : a.token.address > b.token.address ? 1 : 0
}

/** A stablecoin that no pool trades is worth a USD all the same. */
function depthOf({ price }: PricedToken): number {
  return price ? (price.poolSize ?? Number.MAX_VALUE) : -1
}
