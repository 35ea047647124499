import { cleanText } from '../media/cleanText.ts'
import { sniffType } from '../media/sniffType.ts'
import type { CollectibleAttribute } from '../store/Database.ts'

/** What the document of an NFT tells; null where it tells nothing usable. */
export interface CollectibleMetadata {
  readonly name: string | null
  readonly description: string | null
  /** URI of the image, not yet judged; or the image itself as `data:` URI. */
  readonly image: string | null
  readonly attributes: readonly CollectibleAttribute[]
}

const maximumText = 256
const maximumDescription = 4096
const maximumAttributes = 100
const maximumImageLength = 256 * 1024
const imageFields = ['image', 'image_url', 'imageUrl', 'image_data']
const attributeFields = ['attributes', 'traits', 'properties']

/**
 * Reads the document of an NFT: JSON as ERC721 and ERC1155 say and marketplaces read it. It is a stranger's: texts are
 * cleaned and cut, and everything is bounded.
 *
 * @param uri - where it was; a contract may name the image itself in place of a document.
 * @returns undefined when it is none.
 */
export function parseCollectible(bytes: Uint8Array, uri: string): CollectibleMetadata | undefined {
  if (sniffType(bytes)) {
    const image = uri.length <= maximumImageLength ? uri : null
    return { name: null, description: null, image, attributes: [] }
  }
  let document: unknown
  try {
    document = JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    return undefined
  }
  if (!isRecord(document)) {
    return undefined
  }
  return {
    name: textOf(document['name'], maximumText),
    description: textOf(document['description'], maximumDescription),
    image: imageOf(document),
    attributes: attributesOf(document),
  }
}

function textOf(value: unknown, maximumLength: number): string | null {
  const text = typeof value === 'number' || typeof value === 'boolean' ? String(value) : value
  if (typeof text !== 'string') {
    return null
  }
  // Paragraphs stay apart, though line breaks are controls.
  return cleanText(text.replaceAll(/[\t\n\r]+/g, ' '), maximumLength) || null
}

function imageOf(document: Record<string, unknown>): string | null {
  for (const field of imageFields) {
    const value = document[field]
    const image = typeof value === 'string' ? value.trim() : ''
    if (image === '' || image.length > maximumImageLength) {
      continue
    }
    const uri = image.startsWith('<')
      ? `data:image/svg+xml,${encodeURIComponent(image.toWellFormed())}`
      : image
    const clean = uri.toWellFormed().replaceAll('\0', '')
    if (clean.length <= maximumImageLength) {
      return clean
    }
  }
  return null
}

function attributesOf(document: Record<string, unknown>): CollectibleAttribute[] {
  for (const field of attributeFields) {
    const found = toAttributes(document[field])
    if (found.length > 0) {
      return found
    }
  }
  return []
}

/** A list of traits, or an object that has them by name. */
function toAttributes(value: unknown): CollectibleAttribute[] {
  const pairs = Array.isArray(value)
    ? value
        .slice(0, maximumAttributes)
        .filter(isRecord)
        .map((trait) => [
          trait['trait_type'] ?? trait['key'] ?? trait['name'] ?? '',
          trait['value'],
        ])
    : isRecord(value)
      ? Object.entries(value)
          .slice(0, maximumAttributes)
          .map(([key, trait]) => [key, isRecord(trait) ? trait['value'] : trait])
      : []
  return pairs.flatMap(([key, told]) => {
    const value = textOf(told, maximumText)
    return value === null ? [] : [{ key: textOf(key, maximumText) ?? '', value }]
  })
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
