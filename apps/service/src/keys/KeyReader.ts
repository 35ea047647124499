import { LRUCache } from 'lru-cache'
import { ApiError } from '../operations/ApiError.ts'
import { nameKey } from './hashKey.ts'
import type { Key } from './Key.ts'

/** Reads the keys that have these hashes, by their hash as `nameOf` tells it. */
export type LoadKeys = (hashes: readonly Uint8Array[]) => Promise<ReadonlyMap<string, Key>>

interface Reading {
  /** Undefined where no key has the hash. */
  readonly key: Key | undefined
  /** When the store began to be asked; what was changed later is not in it. */
  readonly readAt: number
}

interface Wanted {
  readonly hash: Uint8Array
  readonly askers: {
    readonly resolve: (key: Key | undefined) => void
    readonly reject: (error: unknown) => void
  }[]
}

/** A key that was revoked or changed is noticed after this time. */
const MAXIMUM_AGE_MS = 1000
/** From this age on a key in use is read again beside the requests, so that none of them waits for it. */
const REFRESH_AGE_MS = 500
const REMEMBERED = 10_000
const HASHES_A_QUERY = 1000
const MAXIMUM_WAITING = 10_000

/** What this service issues; anything else is not worth a query. */
const issued = /^hw_[\w-]{43}$/

/**
 * Finds keys by their secrets, with little work for the store: what is known for less than a second is not read again,
 * not even that there is no such key; and all that have to be read go into one query at a time, however many requests
 * bring made-up keys.
 */
export class KeyReader {
  readonly #load: LoadKeys
  readonly #known = new LRUCache<string, Reading>({ max: REMEMBERED })
  /** What is to be read, in the order it came, and what is being read. */
  readonly #wanted = new Map<string, Wanted>()
  #isLoading = false

  constructor(load: LoadKeys) {
    this.#load = load
  }

  /**
   * Finds a key, whether or not it may be used.
   *
   * @param secret - the whole key, as a request carries it.
   * @throws {ApiError} 503 when too many keys wait to be read; and whatever the store fails with.
   */
  async find(secret: string): Promise<Key | undefined> {
    if (!issued.test(secret)) {
      return undefined
    }
    const name = nameKey(secret)
    const recent = this.#recent(name)
    return recent ? recent.key : await this.#want(name)
  }

  /** Finds a key that needs no waiting for; undefined where there is none, and where the store has to be asked. */
  peek(secret: string): Key | undefined {
    if (!issued.test(secret)) {
      return undefined
    }
    return this.#recent(nameKey(secret))?.key
  }

  #recent(name: string): Reading | undefined {
    const known = this.#known.get(name)
    const age = known ? performance.now() - known.readAt : Infinity
    if (!known || age >= MAXIMUM_AGE_MS) {
      return undefined
    }
    // Who comes when it is too old hears of a fault.
    if (age >= REFRESH_AGE_MS && !this.#wanted.has(name)) {
      void this.#want(name).catch(() => {})
    }
    return known
  }

  #want(name: string): Promise<Key | undefined> {
    return new Promise((resolve, reject) => {
      const wanted: Wanted = this.#wanted.get(name) ?? {
        hash: Buffer.from(name, 'base64'),
        askers: [],
      }
      if (wanted.askers.length === 0 && this.#wanted.size >= MAXIMUM_WAITING) {
        throw new ApiError(503, 'SERVICE_BUSY', 'The service has too much to do now', {
          retryAfterSeconds: 1,
        })
      }
      wanted.askers.push({ resolve, reject })
      this.#wanted.set(name, wanted)
      if (!this.#isLoading) {
        void this.#loadWanted()
      }
    })
  }

  async #loadWanted(): Promise<void> {
    this.#isLoading = true
    while (this.#wanted.size > 0) {
      const batch = [...this.#wanted].slice(0, HASHES_A_QUERY)
      const readAt = performance.now()
      try {
        const keys = await this.#load(batch.map(([, { hash }]) => hash))
        for (const [name, { askers }] of batch) {
          const key = keys.get(name)
          this.#known.set(name, { key, readAt })
          for (const { resolve } of askers) {
            resolve(key)
          }
        }
      } catch (error) {
        for (const [, { askers }] of batch) {
          for (const { reject } of askers) {
            reject(error)
          }
        }
      }
      for (const [name] of batch) {
        this.#wanted.delete(name)
      }
    }
    this.#isLoading = false
  }
}

/** A hash as a text to find it by. */
export function nameOf(hash: Uint8Array): string {
  return Buffer.from(hash.buffer, hash.byteOffset, hash.byteLength).toString('base64')
}
