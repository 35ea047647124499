import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { ReadUri } from './createUriReader.ts'
import { RefusedFetchError } from './RefusedFetchError.ts'
import { type ImageType, sniffType } from './sniffType.ts'

/** An image that can be served. */
export interface Image {
  readonly type: ImageType
  readonly bytes: Uint8Array
  /** Changes with the bytes. */
  readonly tag: string
}

const maximumImageBytes = 8 * 1024 * 1024
const maximumCacheBytes = 128 * 1024 * 1024
const minute = 60_000
/** How long what was read counts as what is there. */
const imageMs = 24 * 60 * minute
const failureMs = { passing: minute / 2, lasting: 60 * minute }

/** Loads images that strangers name, and remembers them: the newest used, up to 128 MiB. */
export class ImageLoader {
  readonly #read: ReadUri
  readonly #cache = new LRUCache<
    string,
    { readonly image: Image } | { readonly failure: RefusedFetchError }
  >({
    maxSize: maximumCacheBytes,
    sizeCalculation: (entry) => 512 + ('image' in entry ? entry.image.bytes.length : 0),
  })
  readonly #loading = new Map<string, Promise<Image>>()

  constructor(read: ReadUri) {
    this.#read = read
  }

  /**
   * Loads an image. Who asks for one that is being loaded waits for that.
   *
   * @throws {RefusedFetchError} when there is none; remembered for a while too.
   */
  async load(uri: string): Promise<Image> {
    const key = createHash('sha256').update(uri).digest('base64')
    const known = this.#cache.get(key)
    if (known && 'image' in known) return known.image
    if (known) throw known.failure
    let loading = this.#loading.get(key)
    if (!loading) {
      loading = this.#loadNow(uri, key).finally(() => this.#loading.delete(key))
      this.#loading.set(key, loading)
    }
    return await loading
  }

  async #loadNow(uri: string, key: string): Promise<Image> {
    try {
      const image = toImage(await this.#read(uri, { maximumBytes: maximumImageBytes }))
      this.#cache.set(key, { image }, { ttl: imageMs })
      return image
    } catch (error) {
      if (!(error instanceof RefusedFetchError)) throw error
      // Who was not even tried can be tried again at once.
      if (error.refusal !== 'busy') {
        const ttl = error.retryable ? failureMs.passing : failureMs.lasting
        this.#cache.set(key, { failure: error }, { ttl })
      }
      throw error
    }
  }
}

/**
 * Makes an image of bytes, by what they are.
 *
 * @throws {RefusedFetchError} when they are none.
 */
export function toImage(bytes: Uint8Array): Image {
  const type = sniffType(bytes)
  if (!type) throw new RefusedFetchError('type', 'It is no image that is served')
  return { type, bytes, tag: createHash('sha256').update(bytes).digest('base64url') }
}
