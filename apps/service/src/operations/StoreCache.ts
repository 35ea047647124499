import { LRUCache } from 'lru-cache'
import type { ChainState, ChainWatch } from '../store/ChainWatch.ts'
import {
  type ChainDependencies,
  type ChangeIndex,
  hashDependencies,
  type HashedDependencies,
} from '../store/ChangeIndex.ts'
import type { LoggedDelta } from '../store/DeltaLog.ts'
import type { Head } from '../store/Head.ts'
import { getMaximumAge } from './Dependencies.ts'

/** A value with its dependencies and its size. */
export interface CachedValue {
  /** By chain id. */
  readonly dependencies: ReadonlyMap<number, ChainDependencies>
  /** Whether it also depends on what changes without a new block. */
  readonly isVolatile: boolean
  /** Size in entries of some hundred bytes. */
  readonly weight: number
  /** For a value that depends on one holder only: how changes of its balances update the value. */
  readonly updates?: HolderUpdates
}

interface HolderUpdates {
  readonly holder: string
  /** Applies changes of balances on a chain, oldest first; undefined if the value must be read again. */
  readonly apply: (
    chainId: number,
    deltas: readonly Pick<LoggedDelta, 'token' | 'amount'>[],
  ) => CachedValue | undefined
}

interface Entry {
  readonly value: CachedValue
  /** Its dependencies by chain id. */
  readonly hashed: ReadonlyMap<number, HashedDependencies>
  /** By chain id. */
  readonly reads: Reads
}

/** The head at which a value was read, and the sequence of the state that was published before. */
interface Read {
  readonly head: Head
  readonly sequence: number
}

/** By chain id. */
type Reads = ReadonlyMap<number, Read>

/** Most entries of all values together: tens of megabytes at most. */
const defaultMaxEntries = 100_000

/**
 * Caches values that were read from the store, such as the rows of a wallet, until a block changes them. A value with `updates`
 * is updated instead.
 *
 * A value may be read at a block that is not published yet. It is returned once the block is published, unless changes since the
 * published block of the read concern it.
 */
export class StoreCache {
  readonly #watch: Pick<ChainWatch, 'get'>
  readonly #changes: Pick<ChangeIndex, 'hasChanged' | 'findDeltas'>
  readonly #entries: LRUCache<string, Entry>

  /** @param changes - must have the changes that led to the states of the chains. */
  constructor(
    watch: Pick<ChainWatch, 'get'>,
    changes: Pick<ChangeIndex, 'hasChanged' | 'findDeltas'>,
    maxEntries = defaultMaxEntries,
  ) {
    this.#entries = new LRUCache({ maxSize: maxEntries })
    this.#watch = watch
    this.#changes = changes
  }

  /**
   * Returns a value at the heads of its chains, which it loads if it is not cached.
   *
   * @param subject - identifies the value and its type.
   * @param load - reads it at the heads; undefined where the store must not be read.
   */
  async getOrLoad<Value extends CachedValue>(
    heads: ReadonlyMap<number, Head>,
    subject: readonly unknown[],
    load: (() => Promise<Value | undefined>) | undefined,
  ): Promise<Value | undefined> {
    const key = toKey(subject, heads.keys())
    const known = this.#find<Value>(key, heads)
    if (known) {
      return known
    }
    const reads = this.#startRead(heads)
    const value = await load?.()
    if (value) {
      this.#set(key, value, reads)
    }
    return value
  }

  /**
   * Returns values of the same type by their names, like {@link getOrLoad}.
   *
   * @param names - identify the values of the type.
   * @param load - reads those that are not cached, by name.
   */
  async getOrLoadMany<Value extends CachedValue>(
    heads: ReadonlyMap<number, Head>,
    type: string,
    names: readonly string[],
    load: (missing: readonly string[]) => Promise<ReadonlyMap<string, Value>>,
  ): Promise<Map<string, Value>> {
    const reads = this.#startRead(heads)
    const values = new Map<string, Value>()
    const missing: string[] = []
    for (const name of names) {
      const known = this.#find<Value>(toKey([type, name], heads.keys()), heads)
      if (known) {
        values.set(name, known)
      } else {
        missing.push(name)
      }
    }
    if (missing.length > 0) {
      for (const [name, value] of await load(missing)) {
        values.set(name, value)
        this.#set(toKey([type, name], heads.keys()), value, reads)
      }
    }
    return values
  }

  /** Keeps values of the same type that were read at some heads, by name, if these are the published ones. */
  keep(
    heads: ReadonlyMap<number, Head>,
    type: string,
    values: ReadonlyMap<string, CachedValue>,
  ): void {
    for (const [chainId, head] of heads) {
      const state = this.#watch.get(chainId)
      if (!state || !isAt(state, head)) {
        return
      }
    }
    const reads = this.#startRead(heads)
    for (const [name, value] of values) {
      this.#set(toKey([type, name], heads.keys()), value, reads)
    }
  }

  /** Whether changes of balances on a chain can be applied to a cached value of some chains. */
  canUpdate(
    chainIds: Iterable<number>,
    [type, name]: readonly [type: string, name: string],
    chainId: number,
    deltas: readonly Pick<LoggedDelta, 'token' | 'amount'>[],
  ): boolean {
    const updates = this.#entries.peek(toKey([type, name], chainIds))?.value.updates
    return updates?.apply(chainId, deltas) !== undefined
  }

  /** Finds a value at the published heads. Of others, it is not known what they changed. */
  #find<Value extends CachedValue>(
    key: string,
    heads: ReadonlyMap<number, Head>,
  ): Value | undefined {
    const entry = this.#entries.get(key)
    if (!entry) {
      return undefined
    }
    let { value } = entry
    for (const [chainId, head] of heads) {
      const state = this.#watch.get(chainId)
      const read = entry.reads.get(chainId)
      if (!state || !read || !isAt(state, head) || isBefore(head, read.head)) {
        return undefined
      }
      if (this.#changes.hasChanged(chainId, entry.hashed.get(chainId), read.sequence)) {
        const updated = this.#update(value, chainId, read, head)
        if (!updated) {
          return undefined
        }
        value = updated
      }
    }
    if (value !== entry.value) {
      this.#set(key, value, this.#startRead(heads), this.#entries.getRemainingTTL(key))
    }
    return value as Value
  }

  /** Applies what changed on a chain since a value was read. */
  #update(
    { updates }: CachedValue,
    chainId: number,
    read: Read,
    head: Head,
  ): CachedValue | undefined {
    const range = { after: read.head.number, upTo: head.number }
    const deltas =
      updates && this.#changes.findDeltas(chainId, updates.holder, read.sequence, range)
    return deltas && updates.apply(chainId, deltas)
  }

  #set(
    key: string,
    value: CachedValue,
    reads: Reads | undefined,
    ttl = getMaximumAge(value.isVolatile),
  ): void {
    if (reads) {
      const hashed = hashDependencies(value.dependencies)
      this.#entries.set(key, { value, hashed, reads }, { size: 1 + value.weight, ttl })
    }
  }

  /**
   * @returns undefined if a head is earlier than the published one, as that of a replica, so that changes since are not known.
   */
  #startRead(heads: ReadonlyMap<number, Head>): Reads | undefined {
    const reads = new Map<number, Read>()
    for (const [chainId, head] of heads) {
      const state = this.#watch.get(chainId)
      if (!state?.block || isBefore(head, { ...state, ...state.block })) {
        return undefined
      }
      reads.set(chainId, { head, sequence: state.sequence })
    }
    return reads
  }
}

function toKey(subject: readonly unknown[], chainIds: Iterable<number>): string {
  return JSON.stringify([subject, [...chainIds]])
}

function isAt({ block, metadataVersion }: ChainState, head: Head): boolean {
  return block?.hash === head.hash && metadataVersion === head.metadataVersion
}

function isBefore(
  a: Pick<Head, 'number' | 'metadataVersion'>,
  b: Pick<Head, 'number' | 'metadataVersion'>,
): boolean {
  return a.number < b.number || a.metadataVersion < b.metadataVersion
}
