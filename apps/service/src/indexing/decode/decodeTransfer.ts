import type { Log } from '../../rpc/methods/Log.ts'
import type { CollectibleItem, DecodedEvent } from './DecodedEvent.ts'
import { decodeAddress, type EncodedArray, findArray, getUint, getWord, hasWords } from './words.ts'

/**
 * Decodes `Transfer` of ERC20, or of ERC721, which has the token id in a fourth topic. Early tokens have no indexed fields;
 * with only one, which one it is would depend on the contract.
 */
export function decodeTransfer({ address, topics, data }: Log): DecodedEvent | undefined {
  if (topics.length === 1) {
    return hasWords(data, 3)
      ? createErc20Transfer(address, [getWord(data, 0), getWord(data, 1)], getUint(data, 2))
      : undefined
  }
  const [, fromTopic, toTopic, tokenId] = topics
  if (topics.length === 3) {
    return hasWords(data, 1)
      ? createErc20Transfer(address, [fromTopic, toTopic], getUint(data, 0))
      : undefined
  }
  const from = decodeAddress(fromTopic)
  const to = decodeAddress(toTopic)
  if (tokenId === undefined || !from || !to) {
    return undefined
  }
  const items = [{ tokenId, amount: 1n }]
  return { kind: 'collectible-transfer', standard: 721, contract: address, from, to, items }
}

function createErc20Transfer(
  token: string,
  [fromWord, toWord]: readonly [string | undefined, string | undefined],
  amount: bigint,
): DecodedEvent | undefined {
  const from = decodeAddress(fromWord)
  const to = decodeAddress(toWord)
  return from && to ? { kind: 'transfer', token, from, to, amount } : undefined
}

/** Decodes ERC2309's `ConsecutiveTransfer`. The range may be of any size. */
export function decodeConsecutiveTransfer({
  address,
  topics,
  data,
}: Log): DecodedEvent | undefined {
  const [, first, fromTopic, toTopic] = topics
  const from = decodeAddress(fromTopic)
  const to = decodeAddress(toTopic)
  if (first === undefined || !from || !to || !hasWords(data, 1)) {
    return undefined
  }
  const firstId = BigInt(first)
  const lastId = getUint(data, 0)
  return firstId <= lastId
    ? { kind: 'consecutive-transfer', contract: address, from, to, firstId, lastId }
    : undefined
}

/** Decodes ERC1155's `TransferSingle`. */
export function decodeTransferSingle(log: Log): DecodedEvent | undefined {
  if (!hasWords(log.data, 2)) {
    return undefined
  }
  return createTransfer(log, [{ tokenId: getWord(log.data, 0), amount: getUint(log.data, 1) }])
}

/**
 * Decodes ERC1155's `TransferBatch`. The cost is bounded by the length of the data, whatever its encoded lengths:
 * overlapping arrays, which no compiler emits, are rejected.
 */
export function decodeTransferBatch(log: Log): DecodedEvent | undefined {
  const { data } = log
  const ids = findArray(data, 0, 1)
  const amounts = findArray(data, 1, 1)
  if (!ids || !amounts || ids.length !== amounts.length || overlap(ids, amounts)) {
    return undefined
  }
  const items: CollectibleItem[] = []
  for (let index = 0; index < ids.length; index++) {
    const id = ids.start + 64 * index
    const amount = amounts.start + 64 * index
    items.push({
      tokenId: `0x${data.slice(id, id + 64)}`,
      amount: BigInt(`0x${data.slice(amount, amount + 64)}`),
    })
  }
  return createTransfer(log, items)
}

/** Whether two arrays of single words, each preceded by its length, share bytes. */
function overlap(a: EncodedArray, b: EncodedArray): boolean {
  return a.start - 64 < b.start + 64 * b.length && b.start - 64 < a.start + 64 * a.length
}

function createTransfer(
  { address, topics }: Log,
  items: readonly CollectibleItem[],
): DecodedEvent | undefined {
  // The first indexed address is the operator.
  const from = decodeAddress(topics[2])
  const to = decodeAddress(topics[3])
  if (topics.length !== 4 || !from || !to) {
    return undefined
  }
  return { kind: 'collectible-transfer', standard: 1155, contract: address, from, to, items }
}
