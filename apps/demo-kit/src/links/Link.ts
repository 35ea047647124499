/** The screens of the wallet. */
export type Screen = 'portfolio' | 'token' | 'collectibles' | 'collectible'

/** Where the reader is: all that a page's address says, so that every screen can be linked to. */
export interface Link {
  readonly screen: Screen
  /** The wallet; empty for none. */
  readonly address: string
  /** Ids and tags of the chains to look at; none for those that the service tags `default`. */
  readonly chains: readonly (number | string)[]
  /** The chain of a token or a collectible. */
  readonly chainId: number
  /** A token's contract or `native`, or a collectible's contract; empty where the screen shows neither. */
  readonly token: string
  /** A collectible's id; empty where the screen shows none. */
  readonly tokenId: string
}
