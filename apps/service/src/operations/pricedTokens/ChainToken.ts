import type { ChainConfig } from '../../config/Config.ts'

/** An ERC20 token, or the native asset, of one chain. */
export interface ChainToken {
  readonly chain: ChainConfig
  /** Token contract in lower case, or `native`. */
  readonly address: string
  /** The address by which a native asset was requested, where it is one of the chain's `nativeAliases`. */
  readonly alias?: string
  readonly name: string | undefined
  readonly symbol: string | undefined
  /** Undefined when the contract returns no valid ones; the token then has no price. */
  readonly decimals: number | undefined
}

/** The native asset of a chain. */
export function nativeToken(chain: ChainConfig): ChainToken {
  return { chain, address: 'native', ...chain.nativeCurrency }
}

/** The native asset by its address, which is `native` or one of the aliases of the chain; undefined for another token. */
export function findNativeToken(chain: ChainConfig, address: string): ChainToken | undefined {
  if (address === 'native') {
    return nativeToken(chain)
  }
  return chain.nativeAliases.includes(address)
    ? { ...nativeToken(chain), alias: address }
    : undefined
}

/** The address of the token that prices a token: the native asset is redeemable for its wrapped token one to one at any time. */
export function getPricedAddress({ address, chain }: ChainToken): string {
  return address === 'native' ? (chain.wrappedNative ?? address) : address
}
