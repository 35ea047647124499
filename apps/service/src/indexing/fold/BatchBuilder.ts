import type { PoolRegistration } from '../../pricing/venues/Venue.ts'
import type { BlockHeader } from '../../rpc/methods/BlockHeader.ts'
import type { LogWithSender } from '../../rpc/methods/Log.ts'
import type { ConsecutiveTransferEvent, DecodedEvent } from '../decode/DecodedEvent.ts'
import { decodeLog } from '../decode/decodeLog.ts'
import type { Scope } from '../decode/Scope.ts'
import type { FetchedBlocks } from '../fetch/fetchBlocks.ts'
import {
  applyCollectibleTransfer,
  applyConsecutiveTransfer,
  applyDeposit,
  applyTransfer,
  recordPooledToken,
} from './applyTransfer.ts'
import { ChangeSet, setPoolState } from './ChangeSet.ts'
import { type Downsampling, getPeriod } from './Downsampling.ts'
import type { PoolReader } from './PoolReader.ts'
import type { PoolRegistry, PoolSource } from './PoolRegistry.ts'
import {
  addRegistrations,
  type DecodedLog,
  isKept,
  readRegistrations,
  readStates,
} from './readPools.ts'
import { decodeUnreadPools, type UnreadPool } from './unreadPools.ts'

type IndexedBlock = Pick<BlockHeader, 'number' | 'hash' | 'time'>

/** Consecutive blocks and their events in the chain's order. Blocks without events may be missing. */
export interface DecodedBlocks {
  readonly blocks: readonly IndexedBlock[]
  readonly events: readonly DecodedLog[]
}

/** The changes of consecutive blocks, for one commit. */
export interface Batch {
  /** Oldest first. */
  readonly blocks: readonly IndexedBlock[]
  /** The number of logs in them. */
  readonly logCount: number
  /** The lowest block to which the chain can be undone once the batch is written. */
  readonly undoBlock: number
  /** The changes of all blocks up to it together: they have no images. */
  readonly permanent: ChangeSet
  /** The changes of each block above, oldest first; blocks without changes are omitted. */
  readonly undoable: readonly { readonly block: number; readonly changes: ChangeSet }[]
}

interface BatchBuilderOptions {
  readonly scope: Scope
  /** Shared by the batches of a chain, each of which updates it. */
  readonly pools: PoolRegistry
  readonly poolSource: PoolSource
  /** Reads what no event has of pools. */
  readonly reader: PoolReader
  /** Loads registrations of some factories that could not be read at their blocks; none by default. */
  readonly loadUnread?: (factories: readonly string[]) => Promise<readonly UnreadPool[]>
  /** The changes of each block above are separate, so that it can be undone. */
  readonly undoBlock: number
  /** The latest block of the nodes, which have the states of the blocks before it. */
  readonly head: number
  /** Which states of pools are written once per bucket of time; each block by default. */
  readonly downsampling?: Downsampling | undefined
}

/**
 * Applies blocks and their logs to the rows of one commit. The rows are independent of how a chain's blocks are divided
 * into batches, except that `downsamplePoolStates` later completes the buckets of pool states at the limits of batches.
 */
export class BatchBuilder {
  readonly #options: BatchBuilderOptions
  readonly #blocks: IndexedBlock[] = []
  readonly #permanent = new ChangeSet()
  readonly #undoable: { block: number; changes: ChangeSet }[] = []
  readonly #startedAt = performance.now()
  #logCount = 0
  /** Of the undoable blocks. */
  #undoableRows = 0
  /** Addresses that were looked up as pools. */
  #loadedCount = 0
  #isComplete = true

  constructor(options: BatchBuilderOptions) {
    this.#options = options
  }

  /** The size by which batches are limited. */
  get size(): { readonly blocks: number; readonly rows: number } {
    const written = this.#permanent.rowCount + this.#undoableRows
    return { blocks: this.#blocks.length, rows: written + this.#loadedCount }
  }

  /** Whether everything that was added is applied. */
  get isComplete(): boolean {
    return this.#isComplete
  }

  /** Milliseconds since the builder was created. */
  get ageMs(): number {
    return performance.now() - this.#startedAt
  }

  /** Adds the blocks that follow, with their logs in the chain's order. */
  async add({ blocks, logs }: FetchedBlocks): Promise<void> {
    const events: DecodedLog[] = []
    for (const [index, log] of logs.entries()) {
      const event = decodeLog(log, this.#options.scope, logs[index - 1])
      if (event) {
        events.push({ event, log })
      }
    }
    await this.addDecoded({ blocks, events }, logs.length)
  }

  /**
   * Adds the blocks that follow, as {@link add} does.
   *
   * @param logCount - of the blocks, also of logs that are not events.
   */
  async addDecoded(
    { blocks, events: found }: DecodedBlocks,
    logCount = found.length,
  ): Promise<void> {
    const { pools } = this.#options
    this.#isComplete = false
    this.#logCount += logCount
    const periods = new Map<number, string>()
    for (const { number, hash, time } of blocks) {
      this.#blocks.push({ number, hash, time })
      periods.set(number, getPeriod(number, time, this.#options.downsampling))
    }
    const { decoded, states } = await this.#readPools({ blocks, events: found }, periods)
    for (const [block, ofBlock] of Map.groupBy(decoded, ({ log }) => log.blockNumber)) {
      const period = periods.get(block) ?? String(block)
      const changes = this.#getChanges(block)
      let consecutive = 0
      for (const { event, log } of ofBlock) {
        if (event.kind === 'consecutive-transfer') {
          consecutive += applyConsecutiveTransfer(changes, event, log, consecutive)
        } else {
          this.#apply(changes, event, log, period)
        }
      }
      pools.endBlock(changes, block, period)
      for (const state of states.get(block) ?? []) {
        if (pools.recordBalances(state)) {
          setPoolState(changes, period, state)
        }
      }
      if (changes !== this.#permanent) {
        this.#undoableRows += changes.rowCount
      }
    }
    this.#isComplete = true
  }

  /** Loads the pools of events, and reads what no event has of them: registrations become events, in the order of blocks. */
  async #readPools({ blocks, events }: DecodedBlocks, periods: ReadonlyMap<number, string>) {
    const { scope, pools, poolSource, head, reader } = this.#options
    const { priceFeeds } = scope
    const addresses = new Set<string>()
    for (const { event } of events) {
      if (event.kind === 'pool') {
        addresses.add(event.address)
      } else if ('pool' in event) {
        addresses.add(event.pool)
      }
    }
    for (const address of priceFeeds.keys()) {
      addresses.add(address)
    }
    this.#loadedCount += await pools.load(addresses, poolSource)
    const kept = blocks.find(({ number }) => isKept(number, head))
    const factories = [...scope.factoryDecoders.keys()]
    const unread = kept && factories.length > 0 ? await this.#options.loadUnread?.(factories) : []
    const retried = decodeUnreadPools(unread ?? [], kept, scope)
    const byNumber = new Map(blocks.map((block) => [block.number, block]))
    const context = { blocks: byNumber, periods, pools, reader, head, priceFeeds, retried }
    const all = addRegistrations(events, context)
    const { decoded, created } = await readRegistrations(all, context, scope.indexesPool)
    await pools.load(created, poolSource)
    return { decoded, states: await readStates(decoded, context) }
  }

  /** Everything that was added. */
  get batch(): Batch {
    const { undoBlock } = this.#options
    return {
      blocks: this.#blocks,
      logCount: this.#logCount,
      undoBlock,
      permanent: this.#permanent,
      undoable: this.#undoable,
    }
  }

  #getChanges(block: number): ChangeSet {
    if (block <= this.#options.undoBlock) {
      return this.#permanent
    }
    const changes = new ChangeSet()
    this.#undoable.push({ block, changes })
    return changes
  }

  #apply(
    changes: ChangeSet,
    event: Exclude<DecodedEvent, ConsecutiveTransferEvent | PoolRegistration>,
    log: LogWithSender,
    period: string,
  ): void {
    const { blockNumber: block, logIndex } = log
    const { pools } = this.#options
    switch (event.kind) {
      case 'transfer':
        return applyTransfer(changes, event, log)
      case 'collectible-transfer':
        return applyCollectibleTransfer(changes, event, log)
      case 'deposit':
        return applyDeposit(changes, event, log)
      case 'sale':
        changes.sales.push({ ...event, block, logIndex })
        return
      case 'pool':
        if (pools.add(changes, event, block, period)) {
          for (const token of event.tokens) {
            recordPooledToken(changes, token, block)
          }
        }
        return
      case 'unread-pool':
        changes.unreadPools.push(event.registration)
        return
      case 'retried-pool': {
        const { blockNumber, logIndex } = event
        changes.retriedPools.push({ blockNumber, logIndex, readBlock: block })
        return
      }
      case 'reserves':
      case 'price':
      case 'liquidity':
      case 'touch':
        return pools.apply(changes, event, block, period)
    }
  }
}
