/**
 * A token, as parameters (`chainId`) or as items of an answer (`chain_id`) write it.
 *
 * @example
 * import { sameToken, type TokenReference } from '@headwater/core'
 * const isEther = (token: TokenReference) => sameToken(token, { chainId: 1, address: 'native' })
 */
export type TokenReference = { readonly address: string } & (
  { readonly chainId: number } | { readonly chain_id: number }
)

/**
 * Whether two references mean one token: the same chain, and the same address in any case, or `native` both.
 *
 * @param a - A balance, or parameters that name a token.
 * @param b - Another one.
 * @returns True for the same token.
 * @example
 * import { sameToken } from '@headwater/core'
 * const usdc = { chainId: 1, address: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48' }
 * sameToken(usdc, { chain_id: 1, address: '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48' }) // true
 */
export function sameToken(a: TokenReference, b: TokenReference): boolean {
  return chainIdOf(a) === chainIdOf(b) && a.address.toLowerCase() === b.address.toLowerCase()
}

function chainIdOf(token: TokenReference): number {
  return 'chainId' in token ? token.chainId : token.chain_id
}
