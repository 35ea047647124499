import { createKeccak } from 'hash-wasm'

/*
 * RLP and Keccak-256 on hex digits, which JSON-RPC responses consist of: every header and receipt of a chain passes
 * through here, and a conversion to bytes per field takes most of the time of the libraries.
 */

const hasher = await createKeccak(256)
const emptyDigits = '80'

/**
 * Encodes data.
 *
 * @param hex - with `0x`, an even number of digits.
 * @returns hex digits without `0x`.
 * @see https://ethereum.org/developers/docs/data-structures-and-encoding/rlp
 */
export function encodeData(hex: string): string {
  const length = (hex.length - 2) >> 1
  if (length === 1 && hex < '0x80') {
    return hex.slice(2)
  }
  return encodeLength(length, 0x80) + hex.slice(2)
}

/**
 * Encodes a quantity: big endian, without leading zeros.
 *
 * @param hex - with `0x`, any number of digits.
 * @returns hex digits without `0x`.
 */
export function encodeQuantity(hex: string): string {
  const digits = hex.slice(2).replace(/^0+/, '')
  return digits === ''
    ? emptyDigits
    : encodeData(`0x${digits.length % 2 === 1 ? '0' : ''}${digits}`)
}

/**
 * Encodes a list.
 *
 * @param items - encoded items.
 * @returns hex digits without `0x`.
 */
export function encodeList(items: readonly string[]): string {
  const payload = items.join('')
  return encodeLength(payload.length >> 1, 0xc0) + payload
}

/**
 * Hashes bytes with Keccak-256.
 *
 * @param digits - the bytes, without `0x`.
 * @returns with `0x`.
 */
export function keccak256(digits: string): string {
  hasher.init()
  hasher.update(Buffer.from(digits, 'hex'))
  return `0x${hasher.digest('hex')}`
}

function encodeLength(length: number, offset: number): string {
  if (length < 56) {
    return toDigits(offset + length)
  }
  const digits = toDigits(length)
  return toDigits(offset + 55 + (digits.length >> 1)) + digits
}

function toDigits(value: number): string {
  const digits = value.toString(16)
  return digits.length % 2 === 1 ? `0${digits}` : digits
}
