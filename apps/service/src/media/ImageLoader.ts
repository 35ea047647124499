import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { msPerMinute } from '../time.ts'
import type { ReadUri } from './createUriReader.ts'
import { type ImageType, sniffType } from './sniffType.ts'
import { UntrustedFetchError } from './UntrustedFetchError.ts'

/** An image that can be served. */
export interface Image {
  readonly type: ImageType
  readonly bytes: Uint8Array
  /** A hash of the bytes. */
  readonly tag: string
}

const maxImageBytes = 8 * 1024 * 1024
const maxCacheBytes = 128 * 1024 * 1024
const imageTtlMs = 24 * 60 * msPerMinute
/** The delay before an image is requested again after its first failure, and the limit: it quadruples each time. */
const retryDelays = {
  // The longest, as a request that times out occupies a place in the queue for long.
  timeout: { initialMs: 5 * msPerMinute, maxMs: 24 * 60 * msPerMinute },
  retryable: { initialMs: msPerMinute / 2, maxMs: 60 * msPerMinute },
  permanent: { initialMs: 60 * msPerMinute, maxMs: 60 * msPerMinute },
}
/** Longer than any delay, so that the number of failures outlives it. */
const failureTtlMs = 48 * 60 * msPerMinute

/** Without the error itself, whose stack and causes take several times the memory. */
interface Failure extends Pick<UntrustedFetchError, 'kind' | 'message' | 'retryable'> {
  readonly count: number
  /** The time of the next attempt, by `performance.now()`. */
  readonly retryAt: number
}

/** Loads untrusted images, and caches them and their failures: the most recently used, up to 128 MiB. */
export class ImageLoader {
  readonly #read: ReadUri
  readonly #cache = new LRUCache<string, { readonly image: Image } | Failure>({
    maxSize: maxCacheBytes,
    sizeCalculation: (entry) =>
      512 + ('image' in entry ? entry.image.bytes.length : 2 * entry.message.length),
  })
  readonly #inFlight = new Map<string, Promise<Image>>()

  constructor(read: ReadUri) {
    this.#read = read
  }

  /**
   * Loads an image. Concurrent calls for the same URI share a request.
   *
   * @param owner - the contract that named the image.
   * @throws {UntrustedFetchError} when the image cannot be read; failures are cached.
   */
  async load(uri: string, owner: string): Promise<Image> {
    const key = hash('sha256', uri, 'base64')
    const cached = this.#cache.get(key)
    if (cached && 'image' in cached) {
      return cached.image
    }
    if (cached && performance.now() < cached.retryAt) {
      throw new UntrustedFetchError(cached.kind, cached.message, cached)
    }
    let loading = this.#inFlight.get(key)
    if (!loading) {
      loading = this.#fetch(uri, key, owner, cached?.count).finally(() =>
        this.#inFlight.delete(key),
      )
      this.#inFlight.set(key, loading)
    }
    return await loading
  }

  async #fetch(uri: string, key: string, owner: string, failures = 0): Promise<Image> {
    try {
      const image = toImage(await this.#read(uri, { maxBytes: maxImageBytes, owner }))
      this.#cache.set(key, { image }, { ttl: imageTtlMs })
      return image
    } catch (error) {
      if (!(error instanceof UntrustedFetchError)) {
        throw error
      }
      // A request that was never sent needs no delay.
      if (error.kind !== 'busy') {
        const retryAt = performance.now() + getRetryDelay(error, failures)
        const { kind, message, retryable } = error
        const failure = { kind, message, retryable, count: failures + 1, retryAt }
        this.#cache.set(key, failure, { ttl: failureTtlMs })
      }
      throw error
    }
  }
}

function getRetryDelay({ kind, retryable }: UntrustedFetchError, failures: number): number {
  const cause = kind === 'timeout' ? 'timeout' : retryable ? 'retryable' : 'permanent'
  const { initialMs, maxMs } = retryDelays[cause]
  return Math.min(maxMs, initialMs * 4 ** failures)
}

/**
 * Detects the type of an image from its bytes.
 *
 * @throws {UntrustedFetchError} `type` when they are not an image that is served.
 */
export function toImage(bytes: Uint8Array): Image {
  const type = sniffType(bytes)
  if (!type) {
    throw new UntrustedFetchError('type', 'The content is not of a supported image type')
  }
  return { type, bytes, tag: hash('sha256', bytes, 'base64url') }
}
