import type { Log } from '../rpc/Log.ts'
import type { CollectibleItem, Fact } from './Fact.ts'
import { addressIn, amountAt, arrayAt, type EncodedArray, isWords, wordAt } from './words.ts'

/** Reads `Transfer` of ERC20, or of ERC721, which has the token id in a fourth topic. */
export function decodeTransfer({ address, topics, data }: Log): Fact | undefined {
  const from = addressIn(topics[1])
  const to = addressIn(topics[2])
  if (!from || !to) return undefined
  if (topics.length === 3 && isWords(data, 1))
    return { kind: 'transfer', token: address, from, to, amount: amountAt(data, 0) }
  const tokenId = topics[3]
  if (tokenId === undefined || !isWords(data, 0)) return undefined
  const items = [{ tokenId, amount: 1n }]
  return { kind: 'collectible-transfer', standard: 721, contract: address, from, to, items }
}

/** Reads ERC1155's `TransferSingle`. */
export function decodeTransferSingle(log: Log): Fact | undefined {
  if (!isWords(log.data, 2)) return undefined
  return moved(log, [{ tokenId: wordAt(log.data, 0), amount: amountAt(log.data, 1) }])
}

/**
 * Reads ERC1155's `TransferBatch`. What it costs is bounded by the data's length, whatever lengths the data claims:
 * arrays that share bytes, which no compiler writes, are passed over.
 */
export function decodeTransferBatch(log: Log): Fact | undefined {
  const { data } = log
  const ids = arrayAt(data, 0, 1)
  const amounts = arrayAt(data, 1, 1)
  if (!ids || !amounts || ids.length !== amounts.length || share(ids, amounts)) return undefined
  const items: CollectibleItem[] = []
  for (let index = 0; index < ids.length; index++) {
    const [id, amount] = [ids.start + 64 * index, amounts.start + 64 * index]
    items.push({
      tokenId: `0x${data.slice(id, id + 64)}`,
      amount: BigInt(`0x${data.slice(amount, amount + 64)}`),
    })
  }
  return moved(log, items)
}

/** Whether two arrays of single words, each with its length before it, have bytes in common. */
function share(a: EncodedArray, b: EncodedArray): boolean {
  return a.start - 64 < b.start + 64 * b.length && b.start - 64 < a.start + 64 * a.length
}

function moved({ address, topics }: Log, items: readonly CollectibleItem[]): Fact | undefined {
  // The first address is who did it.
  const from = addressIn(topics[2])
  const to = addressIn(topics[3])
  if (topics.length !== 4 || !from || !to) return undefined
  return { kind: 'collectible-transfer', standard: 1155, contract: address, from, to, items }
}
