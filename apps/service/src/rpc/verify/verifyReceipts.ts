import type { BlockRef } from '../methods/BlockHeader.ts'
import { computeListRoot } from './computeListRoot.ts'
import { encodeData, encodeList, encodeQuantity, keccak256 } from './rlp.ts'
import type { Verdict } from './verifyHeader.ts'

type Fields = Readonly<Record<string, unknown>>

interface BlockOfReceipts extends BlockRef {
  /** The root in its header. */
  readonly receiptsRoot: string
}

const legacyType = '0x0'
/** Of the OP stack. */
const depositType = '0x7e'
/** Legacy, EIP-2930, EIP-1559, EIP-4844, EIP-7702 and deposits of the OP stack. */
const knownTypes = new Set([legacyType, '0x1', '0x2', '0x3', '0x4', depositType])

/**
 * Verifies receipts against the root in the header of their block. The root commits to everything in `logs` but their
 * indices, to status and gas used, and to the number and order of receipts; not to `from`, `to` and hashes.
 *
 * @param receipts - a result of `eth_getBlockReceipts`, in the order of the transactions.
 */
export function verifyReceipts(receipts: readonly Fields[], block: BlockOfReceipts): Verdict {
  const encoded = receipts.flatMap((receipt) => encodeReceipt(receipt) ?? [])
  if (encoded.length < receipts.length) {
    return 'unsupported'
  }
  if (computeListRoot(encoded) === block.receiptsRoot) {
    return 'valid'
  }
  const stateSync = receipts.findIndex((receipt) => isStateSync(receipt, block))
  if (stateSync !== -1 && computeListRoot(encoded.toSpliced(stateSync, 1)) === block.receiptsRoot) {
    return 'valid'
  }
  return receipts.every((receipt) => knownTypes.has(getType(receipt))) ? 'invalid' : 'unsupported'
}

/**
 * The receipt as it is stored in the trie (EIP-2718).
 *
 * @returns hex with `0x`, or undefined without a required field.
 */
function encodeReceipt(receipt: Fields): string | undefined {
  const { status, root, cumulativeGasUsed, logsBloom, logs } = receipt
  const outcome =
    typeof status === 'string'
      ? encodeQuantity(status)
      : // Before Byzantium, EIP-658.
        typeof root === 'string'
        ? encodeData(root)
        : undefined
  if (
    outcome === undefined ||
    typeof cumulativeGasUsed !== 'string' ||
    typeof logsBloom !== 'string' ||
    !Array.isArray(logs)
  ) {
    return undefined
  }
  const items = [
    outcome,
    encodeQuantity(cumulativeGasUsed),
    encodeData(logsBloom),
    encodeList(logs.map(encodeLog)),
  ]
  const type = getType(receipt)
  const { depositNonce, depositReceiptVersion } = receipt
  // Before Canyon, the nonce is in the response and not in the trie.
  if (type === depositType && typeof depositReceiptVersion === 'string') {
    items.push(encodeQuantity(String(depositNonce)), encodeQuantity(depositReceiptVersion))
  }
  const payload = encodeList(items)
  return type === legacyType ? `0x${payload}` : `0x${type.slice(2).padStart(2, '0')}${payload}`
}

function encodeLog(log: Fields): string {
  const topics = log['topics'] as readonly unknown[]
  return encodeList([
    encodeData(String(log['address'])),
    encodeList(topics.map((topic) => encodeData(String(topic)))),
    encodeData(String(log['data'])),
  ])
}

function getType({ type }: Fields): string {
  return typeof type === 'string' ? `0x${Number(type).toString(16)}` : legacyType
}

/**
 * Whether this is the receipt of Polygon's state sync, which nodes append to those of a block. The root does not
 * contain it.
 *
 * @see https://github.com/0xPolygon/bor GetDerivedBorTxHash
 */
function isStateSync({ transactionHash }: Fields, { number, hash }: BlockOfReceipts): boolean {
  const prefix = Buffer.from('matic-bor-receipt-').toString('hex')
  const key = prefix + number.toString(16).padStart(16, '0') + hash.slice(2)
  return transactionHash === keccak256(key)
}
