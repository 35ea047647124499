import type { TokenError } from '@headwater/contract'
import type { Head } from '../../store/Head.ts'
import { ApiError } from '../ApiError.ts'
import type { ChainReader } from '../ChainReader.ts'
import type { ChainValue } from '../readValues.ts'
import { type PricedHolding, type PricedToken, valueHolding } from './priceToken.ts'

/** Unavailable nodes often recover within a block. */
const retryAfterSeconds = 5

/** Balances that were read from nodes. */
export interface FetchedHoldings {
  /** What was read, by chain id and asset. */
  readonly amounts: ReadonlyMap<number, ReadonlyMap<string, ChainValue>>
  /** Also those of zero, in the order of the tokens. */
  readonly holdings: PricedHolding[]
  /** One for each balance of a held token that could not be read, in the order of the tokens. */
  readonly errors: TokenError[]
  /** By chain id, the number of other tokens whose balance no node returned. */
  readonly unread: ReadonlyMap<number, number>
  /** False if a node did not respond, so that a retry at the same heads may return more. */
  readonly isComplete: boolean
}

/**
 * Reads the balances of a wallet from the nodes, each at its chain's head: of native assets, and of tokens with a
 * ledger that differs from the chain.
 *
 * @param tokens - at most a few hundred; those of one chain are read together.
 * @param isHeld - whether the wallet is known to hold a token, or to have held it. That a contract returns no balance of
 *   another token is not an error.
 */
export async function fetchHoldings(
  chainReader: Pick<ChainReader, 'amounts'>,
  wallet: string,
  tokens: readonly PricedToken[],
  heads: ReadonlyMap<number, Head>,
  isHeld: (token: PricedToken) => boolean = () => true,
): Promise<FetchedHoldings> {
  const readChain = async ([chainId, head]: [number, Head]) => {
    const assets = tokens.filter(({ token }) => token.chain.id === chainId)
    if (assets.length === 0) {
      return []
    }
    const addresses = assets.map(({ token }) => token.address)
    return [[chainId, await chainReader.amounts(chainId, wallet, addresses, head)] as const]
  }
  const amounts = new Map((await Promise.all([...heads].map(readChain))).flat())
  const holdings: PricedHolding[] = []
  const errors: TokenError[] = []
  const unread = new Map<number, number>()
  let isComplete = true
  for (const priced of tokens) {
    const { chain, address } = priced.token
    const amount = amounts.get(chain.id)?.get(address)
    if (typeof amount === 'bigint') {
      holdings.push(valueHolding(priced, amount))
      continue
    }
    if (amount === undefined) {
      isComplete = false
    }
    if (isHeld(priced)) {
      errors.push({ chain_id: chain.id, address, description: describeError(address, amount) })
    } else if (amount === undefined) {
      unread.set(chain.id, (unread.get(chain.id) ?? 0) + 1)
    }
  }
  return { amounts, holdings, errors, unread, isComplete }
}

/** The error when every requested balance must be read from nodes and none of them returns one. */
export function nodesUnavailable(): ApiError {
  return new ApiError(
    503,
    'NODES_UNAVAILABLE',
    'No node of the requested chains is available right now',
    { retryAfterSeconds },
  )
}

function describeError(address: string, amount: Exclude<ChainValue, bigint> | undefined): string {
  if (amount === 'unreadable') {
    return 'The contract of this token returns no balance at the head block'
  }
  return address === 'native'
    ? 'No node of the chain returned the native balance at the head block'
    : 'No node of the chain returned the balance of this token at the head block'
}
