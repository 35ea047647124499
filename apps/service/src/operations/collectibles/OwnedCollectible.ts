/** Where a listing of collectibles stands: when its last entry was acquired (unix seconds), and which NFT it is. */
export type CollectibleSortKey = readonly [
  time: number,
  chainId: number,
  contract: string,
  tokenId: string,
]

/** An NFT that a wallet owns. */
export interface OwnedCollectible {
  readonly chainId: number
  /** Lower-case hex. */
  readonly contract: string
  /** A whole number. */
  readonly tokenId: string
  readonly amount: string
  /** Unix seconds of the block of the newest transfer in. */
  readonly time: number
}

/** The key of an NFT. */
export function sortKeyOf({
  time,
  chainId,
  contract,
  tokenId,
}: OwnedCollectible): CollectibleSortKey {
  return [time, chainId, contract, tokenId]
}

/** Orders a listing: the newest acquired first, then by chain id, contract and token id. */
export function compareCollectibles(a: OwnedCollectible, b: OwnedCollectible): number {
  return (
    b.time - a.time ||
    a.chainId - b.chainId ||
    compare(a.contract, b.contract) ||
    compare(BigInt(a.tokenId), BigInt(b.tokenId))
  )
}

function compare<Value extends string | bigint>(a: Value, b: Value): number {
  return a < b ? -1 : a > b ? 1 : 0
}
