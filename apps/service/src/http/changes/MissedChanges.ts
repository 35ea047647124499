import type { TimedBlock } from '../../rpc/methods/BlockHeader.ts'
import { type ChainState, type ChainUpdate, recordsState } from '../../store/ChainWatch.ts'
import { type ChainChange, findOldestChange, loadChanges } from '../../store/changes.ts'
import type { Service } from '../Service.ts'
import { LatestChanges } from './LatestChanges.ts'
import { abbreviateHash, type ChainPosition } from './Subscription.ts'

/** Most addresses that are loaded of a chain, and most of each kind that are kept. */
const maxAddresses = 100_000
/** Most versions that are kept. */
const maxVersions = 10_000

/** A version and its block, as a client that was connected before states them. */
type Since = Pick<ChainPosition, 'version' | 'block'>

const kinds = ['holders', 'ledgers', 'contracts'] as const

/** The changes of a chain since a version. */
export interface ChangesSince {
  /** Selects the changed ones among some addresses. */
  select(kind: (typeof kinds)[number], addresses: Iterable<string>): string[]
  /** After reorgs, the number of their first common ancestor. */
  readonly ancestor: number | undefined
}

/** The versions at which each address of a chain changed last. */
class ChangeHistory {
  readonly #latest: Readonly<Record<(typeof kinds)[number], LatestChanges>>
  /** The blocks of the versions from the start on, oldest first. */
  readonly #blocks = new Map<number, string>()
  /** The ancestors of reorgs, by version. */
  readonly #ancestors = new Map<number, number>()
  /** Changes after this version are known. */
  #start: number

  constructor(start: number, limit: number) {
    this.#start = start
    this.#latest = {
      holders: new LatestChanges(limit),
      ledgers: new LatestChanges(limit),
      contracts: new LatestChanges(limit),
    }
  }

  add(changes: readonly ChainChange[]): void {
    for (const { version, block, keys, ancestor } of changes) {
      this.#blocks.set(version, abbreviateHash(block.hash))
      if (!keys) {
        this.#start = version
        continue
      }
      for (const kind of kinds) {
        this.#latest[kind].add(keys[kind], version)
        this.#start = Math.max(this.#start, this.#latest[kind].floor)
      }
      if (ancestor !== undefined) {
        this.#ancestors.set(version, ancestor)
      }
    }
    for (const version of this.#blocks.keys()) {
      if (this.#blocks.size <= maxVersions) {
        break
      }
      this.#blocks.delete(version)
      this.#ancestors.delete(version)
      this.#start = Math.max(this.#start, version + 1)
    }
  }

  /** What has changed since a version; undefined if that is not known, or if another block has the version now. */
  since({ version, block }: Since): ChangesSince | undefined {
    // Before the first change, there is none to compare.
    if (version < this.#start || (version > 0 && this.#blocks.get(version) !== block)) {
      return undefined
    }
    const ancestors = [...this.#ancestors].flatMap(([each, ancestor]) =>
      each > version ? ancestor : [],
    )
    return {
      select: (kind, addresses) =>
        [...addresses].filter((address) => this.#latest[kind].hasChanged(address, version)),
      ancestor: ancestors.length > 0 ? Math.min(...ancestors) : undefined,
    }
  }
}

/**
 * What clients missed that were connected before. The recorded changes of a chain are loaded once, for the first client that
 * reconnects, and kept with those that follow, so that other reconnects cost no query and no memory.
 */
export class MissedChanges {
  readonly #stores: Pick<Service['stores'], 'of'>
  readonly #maxAddresses: number
  readonly #chains = new Map<number, Promise<ChangeHistory>>()

  constructor(stores: Pick<Service['stores'], 'of'>, limit = maxAddresses) {
    this.#stores = stores
    this.#maxAddresses = limit
  }

  /** Adds the changes of an update. */
  add({ chainId, changes }: Pick<ChainUpdate, 'chainId' | 'changes'>): void {
    if (changes) {
      // Also those that are delivered while it is loaded.
      this.#chains.get(chainId)?.then(
        (history) => history.add(changes),
        () => {},
      )
    } else {
      // Something changed without a record.
      this.#chains.delete(chainId)
    }
  }

  /** Loads what has changed since a version; undefined if that is not known. */
  async load(
    state: ChainState & { readonly block: TimedBlock },
    from: Since,
  ): Promise<ChangesSince | undefined> {
    const { chainId } = state
    const history = this.#chains.get(chainId) ?? this.#loadHistory(state)
    this.#chains.set(chainId, history)
    try {
      return (await history).since(from)
    } catch (error) {
      if (this.#chains.get(chainId) === history) {
        this.#chains.delete(chainId)
      }
      throw error
    }
  }

  async #loadHistory(state: ChainState & { readonly block: TimedBlock }): Promise<ChangeHistory> {
    const { chainId, changeVersion: end } = state
    const { reader } = this.#stores.of(chainId)
    const oldest = await findOldestChange(reader, chainId, end, this.#maxAddresses)
    const rows =
      oldest === undefined
        ? []
        : await loadChanges(reader, chainId, { after: oldest - 1, upTo: end })
    const last = rows.at(-1)
    if (!last || last.version !== end || !recordsState(last, state)) {
      // Nothing was recorded yet, or something changed since without a record.
      return new ChangeHistory(end === 0 ? 0 : end + 1, this.#maxAddresses)
    }
    // Back to the first one before which something changed without a record.
    let first = rows.length - 1
    while (first > 0 && follows(rows[first], rows[first - 1])) {
      first--
    }
    const isComplete = rows[first]?.version === 1
    const history = new ChangeHistory(
      isComplete ? 0 : (rows[first]?.version ?? end),
      this.#maxAddresses,
    )
    history.add(rows.slice(first))
    return history
  }
}

function follows(change: ChainChange | undefined, before: ChainChange | undefined): boolean {
  return (
    change?.version === (before?.version ?? 0) + 1 &&
    change.metadataVersions[0] === before?.metadataVersions[1]
  )
}
