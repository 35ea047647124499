import type { TokenError } from '@headwater/contract'
import { compareStrings } from '../../compare.ts'
import type { PricedToken } from '../pricedTokens/priceToken.ts'

/** Most tokens per chain that a response reads from nodes: any number can be sent to a wallet. */
const maxReads = 200
/** Most errors for tokens above that limit; the others are counted. */
const maxErrors = 20

/** The balances that a response reads from nodes. */
export interface ChainReads {
  readonly tokens: readonly PricedToken[]
  /** Whether the wallet is known to hold one of the tokens, or to have held it. */
  readonly isHeld: (token: PricedToken) => boolean
  /** One for each of the first held tokens above the limit. */
  readonly errors: readonly TokenError[]
  /** By chain id, the number of all other tokens above the limit. */
  readonly skipped: ReadonlyMap<number, number>
}

/**
 * Limits the balances that a response reads from nodes to the tokens with the most liquidity on each chain. Of tokens with
 * the same liquidity, such as those without a price, held ones come first.
 *
 * @param held - tokens that the wallet is known to hold, or to have held.
 * @param others - tokens that any wallet may hold; those among `held` are ignored.
 */
export function limitChainReads(
  held: readonly PricedToken[],
  others: readonly PricedToken[],
): ChainReads {
  const heldKeys = new Set(held.map(getKey))
  const isHeld = (token: PricedToken) => heldKeys.has(getKey(token))
  const ranked = [...held, ...others.filter((token) => !isHeld(token))].toSorted(
    (a, b) =>
      liquidityOf(b) - liquidityOf(a) ||
      Number(isHeld(b)) - Number(isHeld(a)) ||
      compareStrings(a.token.address, b.token.address),
  )
  const tokens: PricedToken[] = []
  const errors: TokenError[] = []
  const counts = new Map<number, number>()
  const skipped = new Map<number, number>()
  for (const priced of ranked) {
    const { chain, address } = priced.token
    const count = counts.get(chain.id) ?? 0
    counts.set(chain.id, count + 1)
    if (count < maxReads) {
      tokens.push(priced)
    } else if (!isHeld(priced) || errors.length >= maxErrors) {
      skipped.set(chain.id, (skipped.get(chain.id) ?? 0) + 1)
    } else {
      errors.push({
        chain_id: chain.id,
        address,
        description: `A response reads at most ${maxReads} balances from the chain; request the balance of this token separately`,
      })
    }
  }
  return { tokens, isHeld, errors, skipped }
}

function getKey({ token }: PricedToken): string {
  return `${token.chain.id}/${token.address}`
}

/** A stablecoin without a pool precedes tokens without a price: its amount has a value. */
function liquidityOf({ price }: PricedToken): number {
  return price ? (price.poolSize ?? 0) : -1
}
