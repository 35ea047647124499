import { cleanText } from '../media/cleanText.ts'

const maxLength = 256
const maxTextBytes = 4 * maxLength

/**
 * Decodes the text that a contract returns, as `string` or as the `bytes32` of old tokens.
 *
 * The text is untrusted: control and bidirectional formatting characters are removed, and it is truncated to 256
 * characters.
 *
 * @param result - hex.
 * @returns null when no readable text remains.
 */
export function decodeText(result: string): string | null {
  const bytes = getTextBytes(Buffer.from(result.slice(2), 'hex'))
  if (!bytes) {
    return null
  }
  // The byte limit may split the last character.
  const text = new TextDecoder().decode(bytes).replace(/\uFFFD+$/u, '')
  return cleanText(text, maxLength) || null
}

function getTextBytes(result: Buffer): Buffer | undefined {
  if (result.length === 32) {
    const end = result.indexOf(0)
    return end === -1 ? result : result.subarray(0, end)
  }
  const offset = readSmallNumber(result, 0)
  const length = offset === undefined ? undefined : readSmallNumber(result, offset)
  if (offset === undefined || length === undefined) {
    return undefined
  }
  const start = offset + 32
  if (start + length > result.length) {
    return undefined
  }
  return result.subarray(start, start + Math.min(length, maxTextBytes))
}

/** Reads the 32-byte word at an offset; undefined unless it is below 2^32. */
function readSmallNumber(bytes: Buffer, offset: number): number | undefined {
  if (offset + 32 > bytes.length) {
    return undefined
  }
  const high = bytes.subarray(offset, offset + 28)
  return high.every((byte) => byte === 0) ? bytes.readUInt32BE(offset + 28) : undefined
}
