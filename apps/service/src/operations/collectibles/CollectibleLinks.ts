/** Where the images of NFTs are. */
export interface CollectibleLinks {
  /** Absolute URL of the image of an NFT that has one, as this service answers it. */
  image(chainId: number, contract: string, tokenId: string): string
}
