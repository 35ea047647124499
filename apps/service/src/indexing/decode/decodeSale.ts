import type { Log } from '../../rpc/methods/Log.ts'
import type { SaleEvent } from './DecodedEvent.ts'
import { decodeAddress, type EncodedArray, findArray } from './words.ts'

/** `ItemType` of Seaport's `ConsiderationEnums.sol`. */
const itemTypes = { native: 0n, erc20: 1n, erc721: 2n, erc1155: 3n }

/** What one side of an order transfers. */
interface Side {
  /** Its only NFT. */
  readonly collectible: { readonly contract: string; readonly tokenId: string } | undefined
  /** Amount of the native asset, wrapped or not. */
  readonly paid: bigint
  readonly itemCount: number
}

/**
 * Decodes Seaport's `OrderFulfilled` as the sale of exactly one NFT for the native asset or its wrapped form: either a
 * listing (the offer is the NFT, and the buyer pays all of the consideration, which includes fees) or a bid (the buyer
 * pays the offer, and the consideration may deduct fees). A bundle has no price of a single NFT, and another currency no
 * price in the native asset.
 */
export function decodeSale(
  { address: marketplace, topics, data }: Log,
  wrappedNative: string | undefined,
): SaleEvent | undefined {
  if (topics.length !== 3) {
    return undefined
  }
  const offer = decodeSide(data, findArray(data, 2, 4), 4, wrappedNative)
  const consideration = decodeSide(data, findArray(data, 3, 5), 5, wrappedNative)
  if (!offer || !consideration) {
    return undefined
  }
  const isListing = offer.itemCount === 1 && offer.collectible && !consideration.collectible
  const isBid = consideration.collectible && !offer.collectible
  if (!isListing && !isBid) {
    return undefined
  }
  const { contract, tokenId } = offer.collectible ?? consideration.collectible ?? {}
  const price = isListing ? consideration.paid : offer.paid
  // An order without a price is half of a match, or a gift.
  if (contract === undefined || tokenId === undefined || price === 0n) {
    return undefined
  }
  return { kind: 'sale', marketplace, contract, tokenId, price }
}

/** @returns undefined when it contains anything but the native asset, wrapped or not, and at most one NFT. */
function decodeSide(
  data: string,
  items: EncodedArray | undefined,
  itemWords: number,
  wrappedNative: string | undefined,
): Side | undefined {
  if (!items) {
    return undefined
  }
  let collectible: Side['collectible']
  let paid = 0n
  for (let index = 0; index < items.length; index++) {
    const start = items.start + 64 * itemWords * index
    const word = (at: number) => `0x${data.slice(start + 64 * at, start + 64 * at + 64)}`
    const type = BigInt(word(0))
    const contract = decodeAddress(word(1))
    const amount = BigInt(word(3))
    if (type === itemTypes.native || (type === itemTypes.erc20 && contract === wrappedNative)) {
      paid += amount
    } else if (type === itemTypes.erc721 || type === itemTypes.erc1155) {
      if (collectible || contract === undefined || amount !== 1n) {
        return undefined
      }
      collectible = { contract, tokenId: word(2) }
    } else {
      return undefined
    }
  }
  return { collectible, paid, itemCount: items.length }
}
