import { cleanText } from '../media/cleanText.ts'

const maximumLength = 256
const maximumBytes = 4 * maximumLength

/**
 * Reads a text that a contract answered, as `string` or as the `bytes32` of old tokens.
 *
 * The text is a stranger's: control characters, and those that turn the direction of writing, are removed, and it is
 * cut at 256 characters.
 *
 * @param answer - hex.
 * @returns null when nothing readable is left.
 */
export function decodeText(answer: string): string | null {
  const bytes = textBytes(Buffer.from(answer.slice(2, 2 + 2 * 65_536), 'hex'))
  if (!bytes) {
    return null
  }
  // Cut within a character, the last one is unreadable.
  const text = new TextDecoder().decode(bytes).replace(/\uFFFD+$/u, '')
  return cleanText(text, maximumLength) || null
}

function textBytes(answer: Buffer): Buffer | undefined {
  if (answer.length === 32) {
    const end = answer.indexOf(0)
    return end === -1 ? answer : answer.subarray(0, end)
  }
  const offset = numberAt(answer, 0)
  const length = offset === undefined ? undefined : numberAt(answer, offset)
  if (offset === undefined || length === undefined) {
    return undefined
  }
  const start = offset + 32
  if (start + length > answer.length && answer.length < 65_536) {
    return undefined
  }
  return answer.subarray(start, start + Math.min(length, maximumBytes))
}

/** The 32-byte word at an offset, where it is a small number. */
function numberAt(bytes: Buffer, offset: number): number | undefined {
  if (offset + 32 > bytes.length) {
    return undefined
  }
  const high = bytes.subarray(offset, offset + 28)
  return high.every((byte) => byte === 0) ? bytes.readUInt32BE(offset + 28) : undefined
}
