import { createLruCache } from '../createLruCache.ts'
import { ApiError } from '../operations/ApiError.ts'
import { isDatabaseUnavailable } from '../store/isDatabaseUnavailable.ts'
import { queryInTime } from '../store/queryInTime.ts'
import type { ApiKey } from './ApiKey.ts'
import { hashKeyToBase64 } from './hashKey.ts'

/** Loads the keys with these hashes, by their hash as base64. */
export type LoadKeys = (hashes: readonly Uint8Array[]) => Promise<ReadonlyMap<string, ApiKey>>

interface CachedKey {
  /** Undefined if no key has the hash. */
  readonly key: ApiKey | undefined
  /** When the query started; it may miss later changes. */
  readonly readAt: number
}

interface PendingKey extends PromiseWithResolvers<ApiKey | undefined> {
  readonly hash: Uint8Array
}

/** A revoked or changed key takes effect within this time. */
const maximumAgeMs = 1000
/** From this age on a used key is refreshed in the background, so that no request waits for it. */
const refreshAgeMs = 500
/** While the store is unavailable, a key that was valid remains so for this long. */
const graceMs = 10 * 60_000
/** A store that does not respond for this long counts as unavailable. */
const timeoutMs = 2_000
const maximumCached = 10_000
const hashesPerQuery = 1000
const maximumPending = 10_000

/** The format of issued secrets; others are not worth a query. */
const secretFormat = /^hw_[\w-]{43}$/

/**
 * Finds keys by their secrets with few queries. Results are cached for less than a second, unknown keys included, and
 * all others are loaded by one query at a time, so that requests with invented keys cost little. While the store is unavailable,
 * keys that were read before remain as they were, for ten minutes.
 */
export class KeyReader {
  readonly #load: LoadKeys
  readonly #cached = createLruCache<string, CachedKey>(maximumCached)
  /** Apart, so that invented keys do not displace others. */
  readonly #unknown = createLruCache<string, CachedKey>(maximumCached)
  /** The keys that are queued or being loaded, by their hash, first in, first out. */
  readonly #pending = new Map<string, PendingKey>()
  #isLoading = false
  /** Whether the latest query failed because the store is unavailable, or did not succeed in time. */
  #isUnavailable = false

  constructor(load: LoadKeys) {
    this.#load = load
  }

  /**
   * Finds a key, valid or not.
   *
   * @param secret - the whole key, as a request carries it.
   * @throws {ApiError} 503 when too many keys are pending, for one that is not cached; and any error of the store.
   */
  async find(secret: string): Promise<ApiKey | undefined> {
    if (!secretFormat.test(secret)) {
      return undefined
    }
    const hash = hashKeyToBase64(secret)
    const cached = this.#findCached(hash)
    return cached ? cached.key : await this.#loadWithGrace(hash)
  }

  #findCached(hash: string): CachedKey | undefined {
    const cached = this.#cached.get(hash) ?? this.#unknown.get(hash)
    const age = cached ? performance.now() - cached.readAt : Infinity
    if (!cached || age >= maximumAgeMs) {
      return undefined
    }
    if (age >= refreshAgeMs && !this.#pending.has(hash)) {
      // An error is reported to the first request after the cached key has expired.
      void this.#enqueue(hash).catch(() => {})
    }
    return cached
  }

  /** Loads a key, or returns it as it was read before while the store is unavailable. */
  async #loadWithGrace(hash: string): Promise<ApiKey | undefined> {
    const known = this.#cached.get(hash)
    const loading = this.#enqueue(hash)
    if (!known?.key || performance.now() - known.readAt >= graceMs) {
      return await loading
    }
    loading.catch(() => {})
    if (this.#isUnavailable) {
      return known.key
    }
    try {
      return await queryInTime(loading, timeoutMs)
    } catch (error) {
      if (!isDatabaseUnavailable(error)) {
        throw error
      }
      this.#isUnavailable = true
      return known.key
    }
  }

  async #enqueue(hash: string): Promise<ApiKey | undefined> {
    const queued = this.#pending.get(hash)
    if (queued) {
      return await queued.promise
    }
    // Invented keys must not displace known ones, of which there are no more than the cache has room for.
    if (this.#pending.size >= maximumPending && !this.#cached.has(hash)) {
      throw new ApiError(503, 'SERVICE_BUSY', 'The service is overloaded', { retryAfterSeconds: 1 })
    }
    const pending = {
      hash: Buffer.from(hash, 'base64'),
      ...Promise.withResolvers<ApiKey | undefined>(),
    }
    this.#pending.set(hash, pending)
    if (!this.#isLoading) {
      void this.#loadPending()
    }
    return await pending.promise
  }

  async #loadPending(): Promise<void> {
    this.#isLoading = true
    while (this.#pending.size > 0) {
      const batch = [...this.#pending].slice(0, hashesPerQuery)
      const readAt = performance.now()
      try {
        const keys = await this.#load(batch.map(([, { hash }]) => hash))
        // The keys of a replica arrive only once the primary has not responded for some time.
        this.#isUnavailable = performance.now() - readAt >= timeoutMs
        for (const [hash, { resolve }] of batch) {
          const key = keys.get(hash)
          const [cache, other] = key ? [this.#cached, this.#unknown] : [this.#unknown, this.#cached]
          cache.set(hash, { key, readAt })
          other.delete(hash)
          resolve(key)
        }
      } catch (error) {
        this.#isUnavailable = isDatabaseUnavailable(error)
        batch.forEach(([, { reject }]) => reject(error))
      }
      for (const [hash] of batch) {
        this.#pending.delete(hash)
      }
    }
    this.#isLoading = false
  }
}
