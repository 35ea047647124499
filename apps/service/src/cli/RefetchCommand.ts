/** What an operator wants read again: all of a contract, or one of its NFTs. */
export interface RefetchCommand {
  readonly type: 'refetch'
  readonly chainId: number
  /** Lower case. */
  readonly contract: string
  /** A whole number, as JSON has none of that size. */
  readonly tokenId?: string
}
