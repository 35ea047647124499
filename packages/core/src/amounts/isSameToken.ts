/**
 * A token, as written in parameters (`chainId`) or in items of a response (`chain_id`).
 *
 * @example
 * import { isSameToken, type TokenReference } from '@headwater/core'
 * const isEther = (token: TokenReference) => isSameToken(token, { chainId: 1, address: 'native' })
 */
export type TokenReference = { readonly address: string } & (
  { readonly chainId: number } | { readonly chain_id: number }
)

/**
 * Whether two references identify the same token: the same chain, and the same address in any case or both `native`.
 *
 * @param a - A balance, or parameters that identify a token.
 * @param b - Another one.
 * @returns True for the same token.
 * @example
 * import { isSameToken } from '@headwater/core'
 * const usdc = { chainId: 1, address: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48' }
 * isSameToken(usdc, { chain_id: 1, address: '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48' }) // true
 */
export function isSameToken(a: TokenReference, b: TokenReference): boolean {
  return getChainId(a) === getChainId(b) && a.address.toLowerCase() === b.address.toLowerCase()
}

function getChainId(token: TokenReference): number {
  return 'chainId' in token ? token.chainId : token.chain_id
}
