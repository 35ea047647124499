/** The types of media that the service serves. */
export type ImageType = `image/${string}` | `video/${string}`

const signatures: readonly (readonly [ImageType, ReadonlyMap<number, readonly string[]>])[] = [
  ['image/png', new Map([[0, ['\x89PNG\r\n\x1a\n']]])],
  ['image/jpeg', new Map([[0, ['\xff\xd8\xff']]])],
  ['image/gif', new Map([[0, ['GIF87a', 'GIF89a']]])],
  // prettier-ignore
  ['image/webp', new Map([[0, ['RIFF']], [8, ['WEBP']]])],
  // prettier-ignore
  ['image/avif', new Map([[4, ['ftyp']], [8, ['avif', 'avis']]])],
  // prettier-ignore
  ['video/mp4', new Map([[4, ['ftyp']], [8, ['isom', 'iso2', 'iso4', 'iso5', 'iso6', 'mp41', 'mp42', 'avc1', 'M4V ', 'dash']]])],
  ['video/webm', new Map([[0, ['\x1aE\xdf\xa3']]])],
]

const maxPrologLength = 4096

/**
 * Detects the type of an image from its bytes, regardless of its name and its declared type.
 *
 * @returns undefined when the type is not supported, as for web pages.
 */
export function sniffType(bytes: Uint8Array): ImageType | undefined {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, maxPrologLength))
  const binary = head.toString('latin1')
  for (const [type, parts] of signatures) {
    if ([...parts].every(([at, texts]) => texts.some((text) => binary.startsWith(text, at)))) {
      return type
    }
  }
  return isSvg(head.toString()) ? 'image/svg+xml' : undefined
}

/** Expects an XML declaration, comments, a document type without entities, comments and the root element, in one pass. */
function isSvg(text: string): boolean {
  const body = withoutComments(text.trimStart().replace(/^<\?xml[^>]*\?>/i, ''))
  return /^<svg[\s>/]/i.test(withoutComments(body.replace(/^<!DOCTYPE\s+svg[^>[]*>/i, '')))
}

/** A loop instead of a regular expression, which would backtrack exponentially over many comments. */
function withoutComments(text: string): string {
  let rest = text.trimStart()
  while (rest.startsWith('<!--')) {
    const end = rest.indexOf('-->', 4)
    if (end === -1) {
      return ''
    }
    rest = rest.slice(end + 3).trimStart()
  }
  return rest
}
