import type { TokenError, Warning } from '@headwater/contract'
import type { Head } from '../../store/Head.ts'
import type { HandlerContext } from '../Handler.ts'
import { type FetchedHoldings, fetchHoldings } from '../pricedTokens/fetchHoldings.ts'
import type { PricedHolding, PricedToken } from '../pricedTokens/priceToken.ts'
import type { ChainReads } from './limitChainReads.ts'

/** What a response reads from the nodes of its chains. */
interface Selection {
  readonly natives: readonly PricedToken[]
  readonly reads: ChainReads
  readonly heads: ReadonlyMap<number, Head>
  /** By chain id, the numbers of tokens that are not part of `reads`. */
  readonly skipped: readonly ReadonlyMap<number, number>[]
}

/** Balances that were read from nodes, and what is missing. */
interface ChainBalances {
  /** What was read, by chain id and asset. */
  readonly amounts: FetchedHoldings['amounts']
  /** Balances above zero. */
  readonly holdings: readonly PricedHolding[]
  /** One for each balance that is missing, of assets that the wallet is known to hold, or to have held. */
  readonly errors: TokenError[]
  /** One that counts all other tokens that were not read, if there are any. */
  readonly warnings: readonly Warning[]
  /** False if a node did not respond, so that a retry at the same heads may return more. */
  readonly isComplete: boolean
}

/** Reads balances of a wallet from the nodes. Holders that no log names are recorded. */
export async function fetchChainBalances(
  wallet: string,
  { natives, reads, heads, skipped }: Selection,
  { chainReader, recordHolders }: Pick<HandlerContext, 'chainReader' | 'recordHolders'>,
): Promise<ChainBalances> {
  const isKnown = (priced: PricedToken) => priced.token.address === 'native' || reads.isHeld(priced)
  const tokens = [...natives, ...reads.tokens]
  const { errors, unread, isComplete, ...read } = await fetchHoldings(
    chainReader,
    wallet,
    tokens,
    heads,
    isKnown,
  )
  const holdings = read.holdings.filter(({ amount }) => amount > 0n)
  const found = Map.groupBy(
    holdings.filter((holding) => !isKnown(holding)),
    ({ token }) => token.chain.id,
  )
  for (const [chainId, holders] of found) {
    recordHolders(
      chainId,
      holders.map(({ token }) => ({ token: token.address, holder: wallet })),
    )
  }
  return {
    amounts: read.amounts,
    holdings,
    errors: [...errors, ...reads.errors],
    warnings: describeUnread([unread, reads.skipped, ...skipped]),
    isComplete,
  }
}

/** Describes tokens whose balances were not read, by their numbers per chain id. */
function describeUnread(numbers: readonly ReadonlyMap<number, number>[]): Warning[] {
  const counts = numbers.flatMap((byChain) => [...byChain])
  if (counts.length === 0) {
    return []
  }
  const total = counts.reduce((sum, [, count]) => sum + count, 0)
  return [
    {
      code: 'BALANCES_NOT_READ',
      message: `The balances of ${total} tokens that must be read from the chain were not read: no node returned them in time, there are too many, or they have neither liquidity nor an entry in a token list. Request the balance of such a token separately`,
      chain_ids: [...new Set(counts.map(([chainId]) => chainId))].sort((a, b) => a - b),
    },
  ]
}
