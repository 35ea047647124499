import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import type { ChainConfig, FactsConfig } from '../../config/Config.ts'
import { poolTopics } from '../../pricing/venues/venues.ts'
import type { ChainNode } from '../../rpc/ChainNode.ts'
import { type Backoff, repeat } from '../../rpc/transport/Backoff.ts'
import { NodeError } from '../../rpc/transport/NodeError.ts'
import { TopicFilter } from '../../rpc/verify/TopicFilter.ts'
import { createLoggedSource } from '../../sources/createSource.ts'
import type { Database } from '../../store/Database.ts'
import {
  intersectScopes,
  isSameScope,
  type StoredScope,
  toStoredScope,
} from '../decode/StoredScope.ts'
import { saleTopics } from '../decode/topics.ts'
import { BlockFetcher } from '../fetch/BlockFetcher.ts'
import type { FetchedBlocks, ParentBlock } from '../fetch/fetchBlocks.ts'
import type { BatchBuilder } from '../fold/BatchBuilder.ts'
import { BatchLimit } from '../fold/BatchLimit.ts'
import { IndexingState } from '../fold/IndexingState.ts'
import { type Cursor, loadBlock, loadBlocks, loadCursor } from '../follow/Cursor.ts'
import { Progress } from '../follow/Progress.ts'
import { AddedFacts } from './AddedFacts.ts'
import { commitBackfill, discardBackfill, loadBackfill, removeOutOfScope } from './backfillRows.ts'

/** Indexing waits for the rest of a backfill that has this many blocks left. */
const nearBlocks = 64

/** What a backfill depends on. */
export interface BackfillOptions {
  readonly chain: ChainConfig
  readonly db: Kysely<Database>
  readonly node: ChainNode
  readonly logger: Logger
  /** Where the facts of final blocks are, which are read instead of the nodes. */
  readonly facts?: FactsConfig | undefined
  /** Limits the size of commits. */
  readonly limit?: BatchLimit
  /** Delays retries. */
  readonly backoff?: Backoff
}

/** Blocks that were read. */
interface ReadPart {
  /** All blocks up to this one were. */
  readonly last: number
  readonly addTo: (builder: BatchBuilder) => Promise<void>
}

/**
 * Reads the pools and sales of earlier final blocks that a chain lacks, because its configuration lists more factories,
 * marketplaces or quote tokens than before. The chain is indexed and served with its stored scope meanwhile; the rows, and
 * the new scope, become part of it in the commit that completes the backfill. A restart continues after the latest commit.
 */
export class Backfill {
  /** The scope that the chain has afterwards. */
  readonly scope: StoredScope
  readonly #options: BackfillOptions
  readonly #cursor: Cursor
  readonly #fetcher: BlockFetcher
  readonly #limit: BatchLimit
  readonly #progress: Progress
  readonly #verifiedFacts = new Set<string>()
  #block: number
  #state: IndexingState | undefined
  #isNearEnd = false

  private constructor(options: BackfillOptions, cursor: Cursor, block: number) {
    const { chain, node, logger } = options
    this.scope = toStoredScope(chain)
    this.#options = options
    this.#cursor = cursor
    this.#block = block
    this.#limit = options.limit ?? new BatchLimit()
    this.#progress = new Progress((text) => logger.info(`adding pools and sales: ${text}`))
    this.#progress.start(block)
    const isAdded = (kind: 'pools' | 'sales') => !isSameScope(cursor.scope[kind], this.scope[kind])
    const topics = [
      ...(isAdded('pools') ? poolTopics : []),
      ...(isAdded('sales') ? Object.values(saleTopics) : []),
    ]
    this.#fetcher = new BlockFetcher(
      node,
      new TopicFilter(topics, { skipsBlocks: true }),
      createLoggedSource(chain, node, logger),
    )
  }

  /**
   * Compares the stored scope of a chain with its configuration: deletes the pools and sales that the configuration no
   * longer has, and prepares to read those that it has in addition.
   *
   * @returns the cursor with the scope of the rows, and the backfill unless that is the configured scope.
   */
  static async prepare(
    options: BackfillOptions,
    cursor: Cursor,
  ): Promise<{ readonly cursor: Cursor; readonly backfill: Backfill | undefined }> {
    const { chain, db, logger } = options
    const configured = toStoredScope(chain)
    const kept = intersectScopes(cursor.scope, configured)
    const stored = await loadBackfill(db, chain.id)
    const target = isSameScope(kept, configured) ? undefined : JSON.stringify(configured)
    if (stored && (stored.scope !== target || !isSameScope(kept, cursor.scope))) {
      logger.info('the configuration changed again; starting to add pools and sales from the start')
      await db.transaction().execute((transaction) => discardBackfill(transaction, chain.id))
    }
    if (!isSameScope(kept, cursor.scope)) {
      logger.info({ scope: kept }, 'deleting the pools and sales that are no longer configured')
      await removeOutOfScope(db, chain.id, kept)
    }
    const current = { ...cursor, scope: kept }
    if (target === undefined) {
      return { cursor: current, backfill: undefined }
    }
    await db
      .insertInto('backfills')
      .values({ chain_id: chain.id, block_number: chain.startBlock - 1, scope: target })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    const block = (await loadBackfill(db, chain.id))?.block ?? chain.startBlock - 1
    logger.info(
      { from: block + 1, scope: configured },
      'adding the pools and sales of new contracts',
    )
    return { cursor: current, backfill: new Backfill(options, current, block) }
  }

  /** Whether so few blocks are left that indexing can wait for them. */
  get isNearEnd(): boolean {
    return this.#isNearEnd
  }

  /** Reads the final blocks while the chain is indexed, until few are left. Failures of nodes and store are retried. */
  async run(signal: AbortSignal): Promise<void> {
    const { chain, db, logger } = this.#options
    const read = async () => {
      const target = (await loadCursor(db, chain.id))?.finalizedBlock ?? -1
      this.#isNearEnd = target - this.#block <= nearBlocks
      if (this.#isNearEnd) {
        return undefined
      }
      await this.readTo(target, signal)
      return 0
    }
    const log = (error: unknown) =>
      logger.warn({ err: error }, 'adding pools and sales failed, retrying')
    await repeat(read, log, signal, this.#options.backoff)
  }

  /**
   * Reads up to a final block.
   *
   * @returns the latest block that was read.
   * @throws {NodeError} when a request fails, or a node has other blocks than the store.
   */
  async readTo(target: number, signal: AbortSignal): Promise<ParentBlock> {
    const { chain, db } = this.#options
    this.#state ??= IndexingState.createForBackfill(this.#options, this.#cursor, this.scope)
    try {
      while (this.#block < target) {
        await this.#readBatch(this.#state, target, signal)
      }
    } catch (error) {
      // Only the store knows what is committed.
      this.#state = undefined
      this.#block = (await loadBackfill(db, chain.id))?.block ?? this.#block
      throw error
    }
    const block = await loadBlock(db, chain.id, this.#block)
    return block ?? { number: this.#block, hash: undefined }
  }

  async #readBatch(state: IndexingState, target: number, signal: AbortSignal): Promise<void> {
    const { chain, db } = this.#options
    // All blocks are final, so that none lacks its state because a node lags.
    const startBatch = () => state.startBatch(target, { number: Infinity, time: Date.now() / 1000 })
    let builder = startBatch()
    for await (const { last, addTo } of this.#read(target, signal)) {
      signal.throwIfAborted()
      await addTo(builder)
      if (last < target && !this.#limit.isFull(builder)) {
        continue
      }
      state.endBatch()
      const { batch } = builder
      this.#progress.advance(last, target, batch.logCount)
      const { secondsLeft } = this.#progress.report ?? {}
      await commitBackfill(db, batch, {
        chainId: chain.id,
        from: this.#block,
        to: last,
        secondsLeft,
      })
      this.#block = last
      this.#progress.log()
      builder = startBatch()
    }
  }

  /** Reads blocks from facts as far as there are any, then from the nodes. */
  async *#read(target: number, signal: AbortSignal): AsyncGenerator<ReadPart, void, undefined> {
    const { chain, db } = this.#options
    const stored = await loadBlock(db, chain.id, this.#block)
    let from: ParentBlock = stored ?? { number: this.#block, hash: undefined }
    const facts = await this.#openFacts(from.number, target, signal)
    if (facts) {
      try {
        for await (const added of facts.read(from.number, signal)) {
          yield { last: added.last, addTo: (builder) => builder.addDecoded(added) }
        }
        from = facts.last
      } finally {
        await facts.close()
      }
    }
    const range = { last: target, finalizedBlock: target, maxBlocks: this.#limit.blocks }
    for await (const fetched of this.#fetcher.fetch(from, range, signal)) {
      await this.#verifyHashes(fetched)
      const last = fetched.blocks.at(-1)?.number ?? target
      yield { last, addTo: (builder) => builder.add(fetched) }
    }
  }

  async #openFacts(after: number, to: number, signal: AbortSignal) {
    const { facts, ...options } = this.#options
    const state = { cursor: this.#cursor, target: this.scope, verified: this.#verifiedFacts }
    return facts && (await AddedFacts.open({ ...options, facts, ...state }, { after, to }, signal))
  }

  /** The rows are added to blocks that are indexed: a node that has others must not be read. */
  async #verifyHashes({ blocks }: FetchedBlocks): Promise<void> {
    const first = blocks[0]?.number ?? 0
    const last = blocks.at(-1)?.number ?? -1
    const stored = await loadBlocks(this.#options.db, this.#options.chain.id, first, last)
    const hashes = new Map(stored.map(({ number, hash }) => [number, hash]))
    const other = blocks.find(({ number, hash }) => hashes.get(number) !== hash)
    if (other) {
      throw new NodeError(`The node has another block ${other.number} than the store`, {
        kind: 'mismatch',
      })
    }
  }
}
