/** The screens of the wallet. */
export type Screen = 'portfolio' | 'token' | 'collectibles' | 'collectible'

/** The state in the URL of the page, by which every screen can be linked to. */
export interface Link {
  readonly screen: Screen
  /** Address of the wallet; empty if none is selected. */
  readonly address: string
  /** Ids and tags of the selected chains; empty for those that the service tags `default`. */
  readonly chains: readonly (number | string)[]
  /** The chain of a token or a collectible. */
  readonly chainId: number
  /** Contract of the token (or `native`) or of the collectible; empty on other screens. */
  readonly token: string
  /** Token id of the collectible; empty on other screens. */
  readonly tokenId: string
}
