import type { ChainToken } from './ChainToken.ts'

/** The address of the token that prices a token: that of the wrapped one for the native asset. */
export function getPricedAddress({ address, chain }: ChainToken): string {
  return address === 'native' ? (chain.wrappedNative ?? address) : address
}
