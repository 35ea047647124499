import { type Address, encodeFunctionData, type Hex, maxUint256, zeroAddress, zeroHash } from 'viem'
import { collectionAbi as abi, seaportAbi } from '../contracts/abi.ts'
import { getAccount } from '../scenarios/accounts.ts'
import type { DeployedCollection } from './Deployment.ts'
import type { World } from './World.ts'

const artist = getAccount('marina').address

/** The artist's share of every sale, in thousandths. */
const royaltyPermille = 25n

/** An amount of one NFT. */
export interface Piece {
  readonly id: bigint
  /** Default 1. */
  readonly amount?: bigint | undefined
}

/** The artist mints an ERC721; without a URI it renders itself. */
export function mintCollectible(
  world: World,
  collection: DeployedCollection,
  to: Address,
  uri = '',
): bigint {
  const id = world.gallery.nextId(collection.address)
  const data = encodeFunctionData({ abi, functionName: 'mint', args: [to, id, uri] })
  // A URI is stored in words of 32 bytes, each as costly as a transfer.
  write(world, artist, collection.address, data, 180_000 + 1_000 * uri.length)
  world.gallery.add(collection.address, id, to, 1n)
  return id
}

/** The artist mints one item (ERC1155), or several in a batch. */
export function mintItems(
  world: World,
  collection: DeployedCollection,
  to: Address,
  pieces: readonly Piece[],
): void {
  const [first, ...others] = pieces
  if (!first) {
    return
  }
  const data =
    others.length === 0
      ? encodeFunctionData({ abi, functionName: 'mint', args: [to, first.id, first.amount ?? 1n] })
      : encodeFunctionData({ abi, functionName: 'mintBatch', args: [to, ...listsOf(pieces)] })
  write(world, artist, collection.address, data, 100_000 + 60_000 * pieces.length)
  for (const { id, amount = 1n } of pieces) {
    world.gallery.add(collection.address, id, to, amount)
  }
}

/** Transfers one NFT, or several of ERC1155 in a batch, which may contain an id twice. */
export function transferCollectibles(
  world: World,
  collection: DeployedCollection,
  from: Address,
  to: Address,
  pieces: readonly Piece[],
): void {
  const [first, ...others] = pieces
  if (!first) {
    return
  }
  const data =
    collection.standard === 721
      ? encodeFunctionData({ abi, functionName: 'transferFrom', args: [from, to, first.id] })
      : others.length === 0
        ? encodeFunctionData({
            abi,
            functionName: 'safeTransferFrom',
            args: [from, to, first.id, first.amount ?? 1n, '0x'],
          })
        : encodeFunctionData({
            abi,
            functionName: 'safeBatchTransferFrom',
            args: [from, to, ...listsOf(pieces), '0x'],
          })
  write(world, from, collection.address, data, 120_000 + 60_000 * pieces.length)
  for (const { id, amount = 1n } of pieces) {
    world.gallery.add(collection.address, id, from, -amount)
    world.gallery.add(collection.address, id, to, amount)
  }
}

/** Burns NFTs of an owner. */
export function burnCollectibles(
  world: World,
  collection: DeployedCollection,
  from: Address,
  pieces: readonly Piece[],
): void {
  const [first] = pieces
  if (!first) {
    return
  }
  const data =
    collection.standard === 721
      ? encodeFunctionData({ abi, functionName: 'burn', args: [first.id] })
      : encodeFunctionData({ abi, functionName: 'burnBatch', args: listsOf(pieces) })
  write(world, from, collection.address, data, 80_000 + 30_000 * pieces.length)
  for (const { id, amount = 1n } of pieces) {
    world.gallery.add(collection.address, id, from, -amount)
  }
}

/** A sale on Seaport: the seller lists, the buyer pays, the artist gets a share. */
export function sellCollectible(
  world: World,
  collection: DeployedCollection,
  sale: {
    readonly piece: Piece
    readonly seller: Address
    readonly buyer: Address
    /** Wei, including the artist's share. */
    readonly price: bigint
    /** Distinguishes equal offers. */
    readonly salt: bigint
  },
): void {
  const { piece, seller, buyer, price, salt } = sale
  const { marketplace } = world.deployment
  const { address, standard } = collection
  const approval = `${seller}/${address}`
  if (!world.gallery.approvals.has(approval)) {
    world.gallery.approvals.add(approval)
    const args = [marketplace, true] as const
    const data = encodeFunctionData({ abi, functionName: 'setApprovalForAll', args })
    write(world, seller, address, data, 80_000)
  }
  const royalty = (price * royaltyPermille) / 1_000n
  const paid = [
    { recipient: seller, value: price - royalty },
    { recipient: artist, value: royalty },
  ].filter(({ value }) => value > 0n)
  const amount = piece.amount ?? 1n
  const order = {
    parameters: {
      offerer: seller,
      zone: zeroAddress,
      offer: [
        {
          itemType: standard === 721 ? 2 : 3,
          token: address,
          identifierOrCriteria: piece.id,
          startAmount: amount,
          endAmount: amount,
        },
      ],
      consideration: paid.map(({ recipient, value }) => ({
        itemType: 0,
        token: zeroAddress,
        identifierOrCriteria: 0n,
        startAmount: value,
        endAmount: value,
        recipient,
      })),
      orderType: 0,
      startTime: 0n,
      endTime: maxUint256,
      zoneHash: zeroHash,
      salt,
      conduitKey: zeroHash,
      totalOriginalConsiderationItems: BigInt(paid.length),
    },
    // The offerer validates the order with a transaction instead of a signature.
    signature: '0x' as Hex,
  }
  const list = encodeFunctionData({ abi: seaportAbi, functionName: 'validate', args: [[order]] })
  write(world, seller, marketplace, list, 200_000)
  const fulfill = encodeFunctionData({
    abi: seaportAbi,
    functionName: 'fulfillOrder',
    args: [order, zeroHash],
  })
  world.write({ from: buyer, to: marketplace, data: fulfill, value: price, gas: 400_000 })
  for (const { recipient, value } of paid) {
    world.native.set(recipient, world.nativeOf(recipient) + value)
  }
  world.gallery.add(address, piece.id, seller, -amount)
  world.gallery.add(address, piece.id, buyer, amount)
}

function listsOf(pieces: readonly Piece[]): [bigint[], bigint[]] {
  return [pieces.map(({ id }) => id), pieces.map(({ amount }) => amount ?? 1n)]
}

function write(world: World, from: Address, to: Address, data: Hex, gas: number): void {
  world.write({ from, to, data, value: 0n, gas })
}
