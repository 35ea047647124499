/** Limit of the characters before the comma. */
export const maxHeadLength = 1024

/**
 * Decodes a `data:` URI (RFC 2397) leniently, as contracts write them: base64 of either alphabet, percent-encoded text,
 * or text with any unescaped characters.
 *
 * @returns undefined when it is not a `data:` URI, or when its base64 is invalid.
 */
export function decodeDataUri(uri: string): Uint8Array | undefined {
  const comma = uri.slice(0, maxHeadLength).indexOf(',')
  if (!/^data:/i.test(uri) || comma === -1) {
    return undefined
  }
  // The declared media type is ignored: the type is detected from the bytes.
  const isBase64 = /;\s*base64\s*$/i.test(uri.slice(0, comma))
  const content = decodePercents(uri.slice(comma + 1))
  if (!isBase64) {
    return content
  }
  const text = content.toString('latin1').replaceAll(/[\s=]/g, '')
  if (!/^[\w+/-]*$/.test(text)) {
    return undefined
  }
  return Buffer.from(text, 'base64')
}

/** A percent sign that is not followed by two hex digits is kept, as in browsers. */
function decodePercents(text: string): Buffer {
  const bytes = Buffer.from(text)
  if (!bytes.includes('%')) {
    return bytes
  }
  const decoded = Buffer.alloc(bytes.length)
  let length = 0
  for (let index = 0; index < bytes.length; index++) {
    const code = bytes[index] === 0x25 ? bytes.toString('latin1', index + 1, index + 3) : ''
    if (/^[0-9a-f]{2}$/i.test(code)) {
      decoded[length++] = Number.parseInt(code, 16)
      index += 2
    } else {
      decoded[length++] = bytes[index] ?? 0
    }
  }
  return decoded.subarray(0, length)
}
