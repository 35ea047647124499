import type { TokenError } from '@headwater/contract'
import type { ChainReader } from '../createChainReader.ts'
import type { Head } from '../loadHeads.ts'
import { type PricedHolding, valueHolding } from './Holding.ts'
import type { PricedToken } from './priceToken.ts'

/**
 * Reads from the nodes what a wallet has of assets of which no ledger tells: native assets, and tokens whose ledger
 * disagreed with the chain. Each at its chain's head. What was not told is an error and not an amount.
 *
 * @param tokens - at most a few hundred; of one chain they are asked for together.
 * @returns the holdings, also those at zero, and the errors, both in the order of the tokens; and whether it is all that
 *   can be told at these heads.
 */
export async function readTrueAmounts(
  chainReader: ChainReader,
  wallet: string,
  tokens: readonly PricedToken[],
  heads: ReadonlyMap<number, Head>,
): Promise<{ holdings: PricedHolding[]; errors: TokenError[]; isWhole: boolean }> {
  const read = async ([chainId, head]: [number, Head]) => {
    const assets = tokens.filter(({ token }) => token.chain.id === chainId)
    if (assets.length === 0) {
      return []
    }
    const addresses = assets.map(({ token }) => token.address)
    return [[chainId, await chainReader.amounts(chainId, wallet, addresses, head)] as const]
  }
  const amounts = new Map((await Promise.all([...heads].map(read))).flat())
  const holdings: PricedHolding[] = []
  const errors: TokenError[] = []
  let isWhole = true
  for (const priced of tokens) {
    const { chain, address } = priced.token
    const amount = amounts.get(chain.id)?.get(address)
    if (typeof amount === 'bigint') {
      holdings.push(valueHolding(priced, amount))
      continue
    }
    if (amount === undefined) {
      isWhole = false
    }
    errors.push({ chain_id: chain.id, address, description: describeMissing(address, amount) })
  }
  return { holdings, errors, isWhole }
}

function describeMissing(address: string, amount: 'none' | undefined): string {
  if (amount === 'none') {
    return 'The contract of this token tells no balance at the head block'
  }
  return address === 'native'
    ? 'No node of the chain told the native balance at the head block'
    : 'No node of the chain told the balance of this token at the head block'
}
