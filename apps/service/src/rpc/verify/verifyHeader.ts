import { encodeData, encodeList, encodeQuantity, keccak256 } from './rlp.ts'

/**
 * The result of a comparison with a hash:
 *
 * - `valid`: the response hashes to it.
 * - `invalid`: it does not.
 * - `unsupported`: it does not, and has fields or types that this version cannot encode, or lacks some.
 */
export type Verdict = 'valid' | 'invalid' | 'unsupported'

type Encode = (hex: string) => string
type Field = readonly [name: string, encode: Encode]

/** The fields that every header has, in the order of their encoding. */
const requiredFields: readonly Field[] = [
  ['parentHash', encodeData],
  ['sha3Uncles', encodeData],
  ['miner', encodeData],
  ['stateRoot', encodeData],
  ['transactionsRoot', encodeData],
  ['receiptsRoot', encodeData],
  ['logsBloom', encodeData],
  ['difficulty', encodeQuantity],
  ['number', encodeQuantity],
  ['gasLimit', encodeQuantity],
  ['gasUsed', encodeQuantity],
  ['timestamp', encodeQuantity],
  ['extraData', encodeData],
  ['mixHash', encodeData],
  ['nonce', encodeData],
]

/** The fields that forks appended, in the order of their encoding. */
const appendedFields: readonly Field[] = [
  // London, EIP-1559
  ['baseFeePerGas', encodeQuantity],
  // Shanghai, EIP-4895
  ['withdrawalsRoot', encodeData],
  // Cancun, EIP-4844 and EIP-4788
  ['blobGasUsed', encodeQuantity],
  ['excessBlobGas', encodeQuantity],
  ['parentBeaconBlockRoot', encodeData],
  // Prague, EIP-7685
  ['requestsHash', encodeData],
  // Amsterdam, EIP-7928 and EIP-7843
  ['blockAccessListHash', encodeData],
  ['slotNumber', encodeQuantity],
]

/** Fields of a block that are not part of its header. */
const otherFields = ['hash', 'size', 'totalDifficulty', 'transactions', 'uncles', 'withdrawals']
const knownFields = new Set([
  ...requiredFields.map(([name]) => name),
  ...appendedFields.map(([name]) => name),
  ...otherFields,
])
const empty = '0x'

/**
 * Verifies that the hash of a block is that of its header.
 *
 * A chain may have further fields, or hash its headers otherwise. Some of them nevertheless hash as on Ethereum, such as
 * those of Arbitrum, whose additional fields are contained in others.
 *
 * @param block - a result of `eth_getBlockByNumber` or `eth_getBlockByHash`.
 * @see https://github.com/ethereum/execution-specs
 */
export function verifyHeader(block: Readonly<Record<string, unknown>>): Verdict {
  const encoded = encodeHeader(block)
  if (encoded !== undefined && keccak256(encoded) === String(block['hash']).toLowerCase()) {
    return 'valid'
  }
  const isComplete =
    encoded !== undefined && Object.keys(block).every((name) => knownFields.has(name))
  return isComplete ? 'invalid' : 'unsupported'
}

/** @returns hex digits without `0x`, or undefined without a required field. */
function encodeHeader(block: Readonly<Record<string, unknown>>): string | undefined {
  const items: string[] = []
  for (const [name, encode] of requiredFields) {
    // Not every node returns the difficulty of blocks after the merge, which is 0.
    const value = block[name] ?? (name === 'difficulty' ? empty : undefined)
    if (typeof value !== 'string') {
      return undefined
    }
    items.push(encode(value))
  }
  const last = appendedFields.findLastIndex(([name]) => typeof block[name] === 'string')
  for (const [name, encode] of appendedFields.slice(0, last + 1)) {
    const value = block[name]
    items.push(encode(typeof value === 'string' ? value : empty))
  }
  return encodeList(items)
}
