import type { Log } from '../rpc/Log.ts'
import type { SaleFact } from './Fact.ts'
import { addressIn, arrayAt, type EncodedArray } from './words.ts'

/** `ItemType` of Seaport's `ConsiderationEnums.sol`. */
const itemTypes = { native: 0n, erc20: 1n, erc721: 2n, erc1155: 3n }

/** What one side of an order gives. */
interface Side {
  /** The one NFT in it. */
  readonly collectible: { readonly contract: string; readonly tokenId: string } | undefined
  /** How much of the native asset, wrapped or not. */
  readonly paid: bigint
  readonly length: number
}

/**
 * Reads Seaport's `OrderFulfilled` as the sale of exactly one NFT for the native asset or its wrapped form: either a
 * listing (the offer is the NFT, the buyer pays all of the consideration, fees too) or an offer to buy (the buyer pays
 * the offer, of which fees may go off in the consideration). A bundle has no price of a single NFT, another currency no
 * price in the native asset.
 */
export function decodeSale(
  { topics, data }: Log,
  wrappedNative: string | undefined,
): SaleFact | undefined {
  if (topics.length !== 3) return undefined
  const offer = readSide(data, arrayAt(data, 2, 4), 4, wrappedNative)
  const consideration = readSide(data, arrayAt(data, 3, 5), 5, wrappedNative)
  if (!offer || !consideration) return undefined
  const isListing = offer.length === 1 && offer.collectible && !consideration.collectible
  const isOffer = consideration.collectible && !offer.collectible
  if (!isListing && !isOffer) return undefined
  const { contract, tokenId } = offer.collectible ?? consideration.collectible ?? {}
  const price = isListing ? consideration.paid : offer.paid
  // An order that asks for nothing is half of a match, or a gift.
  if (contract === undefined || tokenId === undefined || price === 0n) return undefined
  return { kind: 'sale', contract, tokenId, price }
}

/** @returns undefined when there is anything else than money of the chain and at most one NFT. */
function readSide(
  data: string,
  items: EncodedArray | undefined,
  itemWords: number,
  wrappedNative: string | undefined,
): Side | undefined {
  if (!items) return undefined
  let collectible: Side['collectible']
  let paid = 0n
  for (let index = 0; index < items.length; index++) {
    const start = items.start + 64 * itemWords * index
    const word = (at: number) => `0x${data.slice(start + 64 * at, start + 64 * at + 64)}`
    const type = BigInt(word(0))
    const contract = addressIn(word(1))
    const amount = BigInt(word(3))
    if (type === itemTypes.native || (type === itemTypes.erc20 && contract === wrappedNative))
      paid += amount
    else if (type === itemTypes.erc721 || type === itemTypes.erc1155) {
      if (collectible || contract === undefined || amount !== 1n) return undefined
      collectible = { contract, tokenId: word(2) }
    } else return undefined
  }
  return { collectible, paid, length: items.length }
}
