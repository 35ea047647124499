/** The sources of the documents and images that contracts and token lists name. */
export interface MediaConfig {
  /** Gateways for `ipfs://`, up to and including `/ipfs/`; the next one is tried when one fails. */
  readonly ipfsGateways: readonly string[]
  /** Gateways for `ar://`. */
  readonly arweaveGateways: readonly string[]
  /** Token lists: URLs, absolute paths, or the package `@uniswap/default-token-list`. The first that contains a token wins. */
  readonly tokenLists: readonly string[]
  /** Lets untrusted URLs reach this machine and private networks. Only for local chains. */
  readonly dangerouslyAllowPrivateNetworks: boolean
}
