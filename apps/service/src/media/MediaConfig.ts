/** Where documents and images are read from that contracts and token lists name. */
export interface MediaConfig {
  /** What `ipfs://` is read through, up to and with `/ipfs/`; the next is asked when one fails. */
  readonly ipfsGateways: readonly string[]
  /** What `ar://` is read through. */
  readonly arweaveGateways: readonly string[]
  /** Token lists by URL or absolute path, or as the package `@uniswap/default-token-list`; the first that knows a token wins. */
  readonly tokenLists: readonly string[]
  /** Lets URLs that strangers wrote reach this machine and its neighbours. Only for local chains. */
  readonly dangerouslyAllowPrivateNetworks: boolean
}
