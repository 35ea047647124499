import type { AbiEvent } from 'viem'
import { parseAbiItem, toEventSelector, toFunctionSelector } from 'viem/utils'
import type { LegacyCollection } from '../../config/Config.ts'
import type { Log } from '../../rpc/methods/Log.ts'
import type { CollectibleTransferEvent } from './DecodedEvent.ts'
import { decodeAddress, getWord, hasWords, zeroAddress } from './words.ts'

/** Where a log contains a parameter. */
type Position = { readonly topic: number } | { readonly word: number }

/** An event of a collection, as a transfer of one token. */
interface TransferShape {
  readonly topicCount: number
  readonly wordCount: number
  /** Undefined for a mint. */
  readonly from: Position | undefined
  readonly to: Position
  readonly tokenId: Position
}

/** The events of a collection by first topic. */
interface Decoder {
  readonly transfers: ReadonlyMap<string, TransferShape>
  /** The event before a transfer to the zero address, with its recipient. */
  readonly recipient:
    | (Pick<TransferShape, 'topicCount' | 'wordCount' | 'to'> & { readonly topic: string })
    | undefined
}

/** Decoders of collections that precede ERC721, by address. */
export type LegacyDecoders = ReadonlyMap<string, Decoder>

/**
 * Creates the decoders of collections.
 *
 * @throws {Error} when a signature is invalid, or has other parameters than a transfer of one token.
 */
export function createLegacyDecoders(collections: readonly LegacyCollection[]): LegacyDecoders {
  return new Map(
    collections.map(({ address, events, recipientEvent }) => [
      address,
      {
        transfers: new Map(events.map(parseTransfer)),
        recipient: recipientEvent === undefined ? undefined : parseRecipient(recipientEvent),
      },
    ]),
  )
}

/** The first topics of the transfers of collections. */
export function getLegacyTopics(decoders: LegacyDecoders): string[] {
  return [...decoders.values()].flatMap(({ transfers, recipient }) => [
    ...transfers.keys(),
    ...(recipient ? [recipient.topic] : []),
  ])
}

/**
 * The selectors of the functions that return the owner of a token, by collection.
 *
 * @throws {Error} when a signature is invalid.
 */
export function getOwnerFunctions(
  collections: readonly LegacyCollection[],
): ReadonlyMap<string, string> {
  return new Map(collections.map(({ address, ownerOf }) => [address, parseOwnerOf(ownerOf)]))
}

/**
 * Decodes a log of a collection.
 *
 * @param previous - the log before, if it was fetched.
 * @returns undefined for other events of the contract.
 */
export function decodeLegacyLog(
  { transfers, recipient }: Decoder,
  log: Log,
  previous: Log | undefined,
): CollectibleTransferEvent | undefined {
  const shape = transfers.get(log.topics[0] ?? '')
  if (!shape || !hasShape(log, shape)) {
    return undefined
  }
  const from = shape.from ? decodeAddress(read(log, shape.from)) : zeroAddress
  const tokenId = read(log, shape.tokenId)
  let to = decodeAddress(read(log, shape.to))
  if (to === zeroAddress && recipient && previous && precedes(previous, log)) {
    const isRecipient = previous.topics[0] === recipient.topic && hasShape(previous, recipient)
    to = isRecipient ? decodeAddress(read(previous, recipient.to)) : to
  }
  if (from === undefined || to === undefined || tokenId === undefined) {
    return undefined
  }
  const items = [{ tokenId, amount: 1n }]
  return { kind: 'collectible-transfer', standard: 721, contract: log.address, from, to, items }
}

function precedes(previous: Log, { address, blockNumber, logIndex }: Log): boolean {
  return (
    previous.address === address &&
    previous.blockNumber === blockNumber &&
    previous.logIndex === logIndex - 1
  )
}

function hasShape(
  { topics, data }: Log,
  { topicCount, wordCount }: Pick<TransferShape, 'topicCount' | 'wordCount'>,
): boolean {
  return topics.length === topicCount && hasWords(data, wordCount)
}

function read({ topics, data }: Log, position: Position): string | undefined {
  return 'topic' in position ? topics[position.topic] : getWord(data, position.word)
}

function parseTransfer(signature: string): [topic: string, shape: TransferShape] {
  const { topic, shape, find } = parseEvent(signature)
  const from = find('from', 'address')
  const to = find('to', 'address')
  const tokenId = find('tokenId', 'uint256')
  if (!to || !tokenId) {
    throw new Error(`"${signature}" needs the parameters "address to" and "uint256 tokenId"`)
  }
  return [topic, { ...shape, from, to, tokenId }]
}

function parseRecipient(signature: string): NonNullable<Decoder['recipient']> {
  const { topic, shape, find } = parseEvent(signature)
  const to = find('to', 'address')
  if (!to) {
    throw new Error(`"${signature}" needs the parameter "address to"`)
  }
  return { ...shape, topic, to }
}

function parseEvent(signature: string) {
  const event = parseItem(signature)
  if (event?.type !== 'event') {
    throw new Error(`"${signature}" is not the signature of an event`)
  }
  const { inputs } = event as AbiEvent
  const positions = new Map<string, { readonly type: string; readonly position: Position }>()
  let topicCount = 1
  let wordCount = 0
  for (const { name = '', type, indexed } of inputs) {
    // Every other type would take more than a word of the data, or an offset.
    if (!/^(address|bool|u?int\d*|bytes\d+)$/.test(type)) {
      throw new Error(`"${signature}" has a parameter of type ${type}, which is not one word`)
    }
    const position = indexed ? { topic: topicCount++ } : { word: wordCount++ }
    positions.set(name, { type, position })
  }
  return {
    topic: toEventSelector(event as AbiEvent) as string,
    shape: { topicCount, wordCount },
    find: (name: string, type: string) => {
      const found = positions.get(name)
      return found?.type === type ? found.position : undefined
    },
  }
}

function parseOwnerOf(signature: string): string {
  const item = parseItem(signature)
  const isOwnerOf =
    item?.type === 'function' &&
    item.inputs.map(({ type }) => type).join() === 'uint256' &&
    item.outputs.map(({ type }) => type).join() === 'address'
  if (!isOwnerOf) {
    throw new Error(`"${signature}" is not the signature of a function from uint256 to address`)
  }
  return toFunctionSelector(item)
}

function parseItem(signature: string) {
  try {
    return parseAbiItem(signature as 'function ownerOf(uint256) view returns (address)') as
      | AbiEvent
      | ReturnType<typeof parseAbiItem<'function ownerOf(uint256) view returns (address)'>>
      | undefined
  } catch {
    return undefined
  }
}
