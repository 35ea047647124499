import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { ReadUri } from './createUriReader.ts'
import { type ImageType, sniffType } from './sniffType.ts'
import { UntrustedFetchError } from './UntrustedFetchError.ts'

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
/** How long a failure counts, the first time and at most: four times as long each time. */
const failureMs = {
  // Whoever waits for that takes the turn of others.
  timeout: { first: 5 * minute, most: 24 * 60 * minute },
  passing: { first: minute / 2, most: 60 * minute },
  lasting: { first: 60 * minute, most: 60 * minute },
}
/** How long it is known that there was a failure, and how often. */
const failureMemoryMs = 48 * 60 * minute

interface Failure {
  readonly failure: UntrustedFetchError
  readonly times: number
  /** Until when it counts, as `Date.now` tells. */
  readonly until: number
}

/** Loads images that strangers name, and remembers them: the newest used, up to 128 MiB. */
export class ImageLoader {
  readonly #read: ReadUri
  readonly #cache = new LRUCache<string, { readonly image: Image } | Failure>({
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
   * @param asker - on whose behalf: the contract that named it.
   * @throws {UntrustedFetchError} when there is none; remembered for a while too.
   */
  async load(uri: string, asker: string): Promise<Image> {
    const key = createHash('sha256').update(uri).digest('base64')
    const known = this.#cache.get(key)
    if (known && 'image' in known) {
      return known.image
    }
    if (known && Date.now() < known.until) {
      throw known.failure
    }
    let loading = this.#loading.get(key)
    if (!loading) {
      loading = this.#loadNow(uri, key, asker, known?.times).finally(() =>
        this.#loading.delete(key),
      )
      this.#loading.set(key, loading)
    }
    return await loading
  }

  async #loadNow(uri: string, key: string, asker: string, failures = 0): Promise<Image> {
    try {
      const image = toImage(await this.#read(uri, { maximumBytes: maximumImageBytes, asker }))
      this.#cache.set(key, { image }, { ttl: imageMs })
      return image
    } catch (error) {
      if (!(error instanceof UntrustedFetchError)) {
        throw error
      }
      // Who was not even tried can be tried again at once.
      if (error.refusal !== 'busy') {
        const until = Date.now() + restMs(error, failures)
        const failure = { failure: error, times: failures + 1, until }
        this.#cache.set(key, failure, { ttl: failureMemoryMs })
      }
      throw error
    }
  }
}

function restMs({ refusal, retryable }: UntrustedFetchError, failures: number): number {
  const kind = refusal === 'timeout' ? 'timeout' : retryable ? 'passing' : 'lasting'
  const { first, most } = failureMs[kind]
  return Math.min(most, first * 4 ** failures)
}

/**
 * Makes an image of bytes, by what they are.
 *
 * @throws {UntrustedFetchError} when they are none.
 */
export function toImage(bytes: Uint8Array): Image {
  const type = sniffType(bytes)
  if (!type) {
    throw new UntrustedFetchError('type', 'It is no image that is served')
  }
  return { type, bytes, tag: createHash('sha256').update(bytes).digest('base64url') }
}
