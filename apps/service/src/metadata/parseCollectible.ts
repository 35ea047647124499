import { isObject } from '../isObject.ts'
import { cleanText } from '../media/cleanText.ts'
import { sniffType } from '../media/sniffType.ts'
import type { CollectibleAttribute } from '../store/Database.ts'

/** The metadata in the document of an NFT; null where it has no usable value. */
export interface CollectibleMetadata {
  readonly name: string | null
  readonly description: string | null
  /** The URI of the image, not validated; or the image itself as a `data:` URI. */
  readonly image: string | null
  readonly attributes: readonly CollectibleAttribute[]
}

const maxTextLength = 256
const maxDescriptionLength = 4096
const maxAttributes = 100
const maxImageLength = 256 * 1024
const imageFields = ['image', 'image_url', 'imageUrl', 'image_data']
const attributeFields = ['attributes', 'traits', 'properties']

/**
 * Parses the document of an NFT: JSON as ERC721 and ERC1155 specify it, with the extensions of marketplaces. The document
 * is untrusted: texts are sanitized and truncated, and lists are limited.
 *
 * @param uri - the URI of the document. It is the image's URI if the document is an image.
 * @returns undefined when the document is neither JSON nor an image.
 */
export function parseCollectible(bytes: Uint8Array, uri: string): CollectibleMetadata | undefined {
  if (sniffType(bytes)) {
    const image = uri.length <= maxImageLength ? uri : null
    return { name: null, description: null, image, attributes: [] }
  }
  let document: unknown
  try {
    document = JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    return undefined
  }
  if (!isObject(document)) {
    return undefined
  }
  return {
    name: parseText(document['name'], maxTextLength),
    description: parseText(document['description'], maxDescriptionLength),
    image: findImage(document),
    attributes: findAttributes(document),
  }
}

function parseText(value: unknown, maxLength: number): string | null {
  const text = typeof value === 'number' || typeof value === 'boolean' ? String(value) : value
  if (typeof text !== 'string') {
    return null
  }
  // Otherwise cleanText would join the lines, as it removes control characters.
  return cleanText(text.replaceAll(/[\t\n\r\u2028\u2029]+/g, ' '), maxLength) || null
}

function findImage(document: Record<string, unknown>): string | null {
  for (const field of imageFields) {
    const value = document[field]
    const image = typeof value === 'string' ? value.trim() : ''
    if (image === '' || image.length > maxImageLength) {
      continue
    }
    const uri = image.startsWith('<')
      ? `data:image/svg+xml,${encodeURIComponent(image.toWellFormed())}`
      : image
    const clean = uri.toWellFormed().replaceAll('\0', '')
    if (clean.length <= maxImageLength) {
      return clean
    }
  }
  return null
}

function findAttributes(document: Record<string, unknown>): CollectibleAttribute[] {
  for (const field of attributeFields) {
    const attributes = parseAttributes(document[field])
    if (attributes.length > 0) {
      return attributes
    }
  }
  return []
}

/** @param value - a list of traits, or an object with the traits by name. */
function parseAttributes(value: unknown): CollectibleAttribute[] {
  const pairs = Array.isArray(value)
    ? value
        .slice(0, maxAttributes)
        .filter(isObject)
        .map((trait) => [
          trait['trait_type'] ?? trait['key'] ?? trait['name'] ?? '',
          trait['value'],
        ])
    : isObject(value)
      ? Object.entries(value)
          .slice(0, maxAttributes)
          .map(([key, trait]) => [key, isObject(trait) ? trait['value'] : trait])
      : []
  return pairs.flatMap(([key, trait]) => {
    const value = parseText(trait, maxTextLength)
    return value === null ? [] : [{ key: parseText(key, maxTextLength) ?? '', value }]
  })
}
