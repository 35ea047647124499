import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import type { ChainConfig, FactsConfig } from '../config/Config.ts'
import type { ChainNode } from '../rpc/ChainNode.ts'
import type { BlockHeader } from '../rpc/methods/BlockHeader.ts'
import { Backoff } from '../rpc/transport/Backoff.ts'
import { createLoggedSource } from '../sources/createSource.ts'
import type { Database } from '../store/Database.ts'
import { BackfillTask } from './backfill/BackfillTask.ts'
import { BulkBackfill } from './bulk/BulkBackfill.ts'
import { BlockFetcher } from './fetch/BlockFetcher.ts'
import { createFilter, type ParentBlock } from './fetch/fetchBlocks.ts'
import type { Batch } from './fold/BatchBuilder.ts'
import { BatchLimit } from './fold/BatchLimit.ts'
import { IndexingState } from './fold/IndexingState.ts'
import { compareWithHead, type Relation } from './follow/compareWithHead.ts'
import type { Cursor } from './follow/Cursor.ts'
import { Finality, type FinalitySource } from './follow/Finality.ts'
import { HeadWait } from './follow/HeadWait.ts'
import { InitialSync } from './follow/InitialSync.ts'
import { type IndexingStage, Progress, type ProgressReport } from './follow/Progress.ts'
import { verifyChain } from './follow/verifyChain.ts'
import { IndexingError } from './IndexingError.ts'
import { commitBatch } from './write/commitBatch.ts'
import { createReadIndexes } from './write/createReadIndexes.ts'

/** The most blocks that replace others in one commit. */
const maxReorgBlocks = 512
/** A store that rejects rows this many times in a row contradicts itself. */
const maxViolations = 3
/** PostgreSQL's error codes of rows that violate a constraint, such as duplicate keys. */
const integrityViolation = /^23/
/** PostgreSQL's error code of a canceled statement, such as one that timed out. */
const queryCanceled = '57014'

interface ChainIndexerOptions {
  readonly chain: ChainConfig
  readonly db: Kysely<Database>
  readonly node: ChainNode
  readonly logger: Logger
  /** Writes facts of final blocks, and derives the rows of a new chain from them. */
  readonly facts?: FactsConfig | undefined
  /** Limits the size of commits. */
  readonly limit?: BatchLimit
  /** Delays retries. */
  readonly backoff?: Backoff
  /** Called with each head of the nodes, before its blocks are indexed. */
  readonly onHead?: (head: BlockHeader) => void
  /** Called each time the indexed block is found to be the head of the nodes. */
  readonly onConfirmed?: () => void
  /** Awaited before each commit. */
  readonly beforeCommit?: (() => Promise<unknown>) | undefined
  /** Called after each commit. */
  readonly onCommit?: () => void
  /** Awaited after the initial sync, before the chain is marked as synced. It must settle when the signal aborts. */
  readonly beforeSynced?: (signal: AbortSignal) => Promise<void>
  /** Called once, when everything up to the head is indexed. */
  readonly onSynced?: () => void
  /** Called with the error of each attempt that fails, and with undefined when one succeeds again. */
  readonly onFailure?: (error: unknown) => void
  /** Called periodically while the chain is indexed in bulk, and with undefined at the end. */
  readonly onStage?: (stage: IndexingStage | undefined) => void
  /** Called periodically during the initial sync. */
  readonly onProgress?: (text: string) => void
}

/** Indexes one chain: from the stored cursor to the head, and then follows the head. */
export class ChainIndexer {
  readonly #options: ChainIndexerOptions
  readonly #fetcher: BlockFetcher
  readonly #backoff: Backoff
  readonly #limit: BatchLimit
  readonly #initialSync: InitialSync
  readonly #progress: Progress
  readonly #finality: Finality
  #state: IndexingState | undefined
  /** The latest one of the nodes. */
  #head: BlockHeader | undefined
  /** Reads the pools and sales that the configuration has in addition to the rows. */
  readonly #backfill: BackfillTask
  readonly #bulk: BulkBackfill | undefined
  /** Whether `onSynced` was called. */
  #isSynced = false
  /** Attempts in a row that failed because the rows of blocks violate a constraint. */
  #violations = 0
  /** As last logged. */
  #hashSupport = '{}'

  constructor(options: ChainIndexerOptions) {
    this.#options = options
    const { chain, db, node, logger, facts } = options
    const source = createLoggedSource(chain, node, logger)
    this.#fetcher = new BlockFetcher(node, createFilter(chain), source)
    this.#initialSync = new InitialSync(options)
    this.#finality = new Finality(chain, node)
    this.#backfill = new BackfillTask(options)
    const onStage = (stage: IndexingStage | undefined) => {
      options.onStage?.(stage)
      if (stage) {
        logger.info(stage.text)
        options.onProgress?.(stage.text)
      }
    }
    this.#bulk = facts && new BulkBackfill({ chain, db, node, logger, facts, onStage })
    this.#limit = options.limit ?? new BatchLimit()
    this.#backoff = options.backoff ?? new Backoff()
    this.#progress = new Progress((text) => {
      logger.info(text)
      options.onProgress?.(text)
    })
  }

  /** How blocks become final. */
  get finality(): FinalitySource {
    return this.#finality.source
  }

  /** Undefined before the chain is verified. */
  get progress(): ProgressReport | undefined {
    return this.#progress.report
  }

  /**
   * Runs until the signal aborts; a commit that has begun completes. Failures of nodes and store are retried.
   *
   * @throws {IndexingError} when an operator has to act.
   */
  async run(signal: AbortSignal): Promise<void> {
    const ended = new AbortController()
    const wait = new HeadWait(this.#options.chain)
    try {
      await this.#run(wait, AbortSignal.any([signal, ended.signal]))
    } finally {
      wait.close()
      ended.abort()
      await this.#backfill.ended()
    }
  }

  async #run(wait: HeadWait, signal: AbortSignal): Promise<void> {
    const { logger } = this.#options
    while (!signal.aborted) {
      try {
        await this.#advance(signal)
        if (this.#backoff.succeeded()) {
          logger.info('indexing recovered')
          this.#options.onFailure?.(undefined)
        }
        await wait.next(this.#head, signal)
      } catch (error) {
        if (signal.aborted) {
          return
        }
        if (error instanceof IndexingError) {
          throw error
        }
        this.#violations = integrityViolation.test(getCode(error)) ? this.#violations + 1 : 0
        if (this.#violations === maxViolations) {
          throw new IndexingError(
            `The store contains rows that contradict its cursor (${String(error)}): run headwater chain reset --chain ${this.#options.chain.id}, which keeps keys and other chains, or restore a copy of the store`,
            { cause: error },
          )
        }
        // Only the store knows what is committed.
        this.#state = undefined
        this.#options.node.invalidateHead()
        this.#options.onFailure?.(error)
        await this.#backoff.failed(
          error,
          () => logger.warn({ err: error }, 'indexing failed, retrying'),
          signal,
        )
      }
    }
  }

  /** Indexes up to the current head of the nodes. */
  async #advance(signal: AbortSignal): Promise<void> {
    const { node, logger } = this.#options
    this.#state ??= await this.#start(signal)
    const { cursor } = this.#state
    const head = await node.getHead(signal)
    this.#head = head
    this.#options.onHead?.(head)
    await this.#finality.update(signal)
    await this.#detectHashes(head, signal)
    const relation = await compareWithHead(this.#options, cursor, head, signal)
    if (this.#bulk && !cursor.block && relation.kind === 'extend') {
      const finalBlock = await this.#getTrustedFinalBlock(cursor, head, signal)
      if (await this.#bulk.run(cursor, { finalBlock, time: head.time }, signal)) {
        this.#state = undefined
        this.#options.onCommit?.()
        return
      }
    }
    this.#state = await this.#index(this.#state, relation, head, signal)
    if (this.#state.cursor.block?.number !== head.number || signal.aborted) {
      return
    }
    this.#options.onConfirmed?.()
    const isSynced =
      this.#state.cursor.isSynced || (await this.#initialSync.tryComplete(head, signal))
    this.#state.cursor = { ...this.#state.cursor, isSynced }
    if (isSynced && !this.#isSynced) {
      this.#isSynced = true
      logger.info('indexed up to the head')
      this.#options.onSynced?.()
    }
  }

  /** @returns the state to continue with. */
  async #index(
    state: IndexingState,
    relation: Relation,
    head: BlockHeader,
    signal: AbortSignal,
  ): Promise<IndexingState> {
    const { cursor } = state
    const isBackfillDue = this.#backfill.isDue(cursor)
    if (cursor.isSynced && !isBackfillDue) {
      this.#backfill.start(signal)
    }
    if (relation.kind === 'reorg') {
      const { ancestor } = relation
      const { number, hash } = head
      const place = { ancestor: ancestor.number, from: cursor.block, to: { number, hash } }
      this.#options.logger.warn(place, 'reorg')
      return await this.#reorg(state, ancestor, head, signal)
    }
    if (isBackfillDue && (relation.kind === 'extend' || relation.kind === 'equal')) {
      const completed = await this.#backfill.complete(cursor, signal, (added, ancestor, last) =>
        this.#reorg(added, ancestor, head, signal, last),
      )
      return completed ?? state
    }
    if (relation.kind === 'extend') {
      await this.#extend(state, head, signal)
    }
    return state
  }

  /** Verifies the hashes of the next blocks, where the chain is found to hash its blocks as Ethereum does. */
  async #detectHashes(head: BlockHeader, signal: AbortSignal): Promise<void> {
    const { chain, node, logger } = this.#options
    const support = await node.detectHashes(this.#finality.getFinalBlock(head), signal)
    const text = JSON.stringify(support)
    if (text !== this.#hashSupport) {
      this.#hashSupport = text
      logger.info({ verify: chain.verify, ...support }, 'hashes of this chain that can be verified')
    }
  }

  async #start(signal: AbortSignal): Promise<IndexingState> {
    const { chain, db, node } = this.#options
    const cursor = await this.#backfill.prepare(await verifyChain(db, node, chain, signal))
    // They may have been dropped, or be new in this version.
    if (cursor.isSynced) {
      await createReadIndexes(db, chain.id, this.#options.logger, signal)
    }
    this.#progress.start(cursor.block?.number ?? chain.startBlock - 1)
    return IndexingState.create(this.#options, cursor)
  }

  /** Indexes up to the head, fetching and applying the next blocks while the current batch is written. */
  async #extend(state: IndexingState, head: BlockHeader, signal: AbortSignal): Promise<void> {
    const finalizedBlock = await this.#getTrustedFinalBlock(state.cursor, head, signal)
    const start = { number: this.#options.chain.startBlock - 1, hash: undefined }
    const undoBlock = this.#finality.getUndoBlock(finalizedBlock, head)
    const range = {
      last: head.number,
      finalizedBlock,
      maxBlocks: this.#limit.blocks,
      splitAfter: undoBlock,
    }
    let builder = state.startBatch(undoBlock, head)
    let writing: Promise<void> = Promise.resolve()
    let isWriting = false
    const write = async () => {
      await writing
      state.endBatch()
      isWriting = true
      const options = { head, trustedFinalBlock: finalizedBlock }
      writing = this.#commit(state, builder.batch, options).finally(() => (isWriting = false))
      // Awaited later, also when it fails before that.
      writing.catch(() => {})
      builder = state.startBatch(undoBlock, head)
    }
    try {
      for await (const fetched of this.#fetcher.fetch(state.cursor.block ?? start, range, signal)) {
        await builder.add(fetched)
        const { number: last } = fetched.blocks.at(-1) ?? head
        if (signal.aborted) {
          return
        }
        // Permanent blocks do not wait for the last blocks, whose images take most of the time of their commit.
        const isEnd = last === head.number || (last === undoBlock && !isWriting)
        if (isEnd || this.#limit.isFull(builder, isWriting)) {
          await write()
        }
      }
      await writing
    } catch (error) {
      // Keeps what was fetched before the nodes failed.
      if (!signal.aborted && builder.isComplete) {
        await write()
      }
      throw error
    } finally {
      await Promise.allSettled([writing])
    }
  }

  /**
   * Undoes the blocks above the ancestor and writes the nodes' blocks instead, in one commit.
   *
   * @param backfilledBlock - the latest block to write, if the commit completes a backfill up to the ancestor.
   * @returns the state to continue with.
   */
  async #reorg(
    state: IndexingState,
    ancestor: ParentBlock,
    head: BlockHeader,
    signal: AbortSignal,
    backfilledBlock?: number,
  ): Promise<IndexingState> {
    const last = backfilledBlock ?? Math.min(head.number, ancestor.number + maxReorgBlocks)
    const completesBackfill = backfilledBlock !== undefined
    const { cursor } = state
    const builder = state.startReorg(ancestor.number, head)
    // No block above the ancestor is final, as a final one cannot have been replaced.
    const range = { last, finalizedBlock: ancestor.number, maxBlocks: this.#limit.blocks }
    for await (const fetched of this.#fetcher.fetch(ancestor, range, signal)) {
      await builder.add(fetched)
      // The next poll extends these with the others.
      if (this.#limit.isFull(builder)) {
        break
      }
    }
    state.endBatch()
    await this.#commit(state, builder.batch, {
      head,
      trustedFinalBlock: cursor.finalizedBlock,
      completesBackfill,
      ancestor: ancestor.number,
    })
    // If nothing was fetched, nothing was undone.
    return state.cursor === cursor && !completesBackfill
      ? IndexingState.create(this.#options, cursor)
      : state
  }

  async #commit(
    state: IndexingState,
    batch: Batch,
    {
      head,
      trustedFinalBlock,
      ancestor,
      completesBackfill = false,
    }: {
      head: BlockHeader
      trustedFinalBlock: number
      ancestor?: number
      completesBackfill?: boolean
    },
  ): Promise<void> {
    const { chain, db, beforeCommit, onCommit } = this.#options
    const { cursor } = state
    const last = batch.blocks.at(-1)
    if (!last) {
      return
    }
    const reachesHead = last.number >= head.number
    // A head is verified once its blocks are indexed. Before that, only indexed blocks can become final.
    const finalizedBlock = reachesHead
      ? this.#getFinalBlock(cursor, head)
      : Math.max(cursor.finalizedBlock, Math.min(trustedFinalBlock, last.number))
    await beforeCommit?.()
    try {
      await commitBatch(db, batch, {
        chainId: chain.id,
        from: cursor.block,
        finalizedBlock,
        undoBlock: this.#finality.getUndoBlock(finalizedBlock, head),
        ancestor,
        completesBackfill,
      })
      this.#limit.recordCommit()
    } catch (error) {
      if (getCode(error) === queryCanceled) {
        this.#limit.recordTimeout(batch.blocks.length)
      }
      throw error
    }
    this.#logSkipped(batch)
    state.cursor = { ...cursor, block: last, finalizedBlock }
    this.#progress.advance(last.number, head.number, batch.logCount)
    onCommit?.()
    if (!reachesHead) {
      this.#progress.log()
    }
  }

  /** One line per commit, as anyone can emit such events. */
  #logSkipped({ permanent, undoable }: Batch): void {
    const skipped = [permanent, ...undoable.map(({ changes }) => changes)].flatMap(
      ({ skipped }) => skipped,
    )
    const [first] = skipped
    if (first) {
      this.#options.logger.warn({ count: skipped.length, first }, 'events skipped')
    }
  }

  #getFinalBlock(cursor: Cursor, head: BlockHeader): number {
    return Math.max(cursor.finalizedBlock, this.#finality.getFinalBlock(head))
  }

  /**
   * The highest block that is indexed as final. A head alone does not prove finality, as a node may report any
   * number: the nodes must agree on the block that the head would make final.
   */
  async #getTrustedFinalBlock(
    cursor: Cursor,
    head: BlockHeader,
    signal: AbortSignal,
  ): Promise<number> {
    const finalizedBlock = this.#getFinalBlock(cursor, head)
    const indexed = cursor.block?.number ?? this.#options.chain.startBlock - 1
    const isRelevant = finalizedBlock > Math.max(indexed, cursor.finalizedBlock)
    const isTrusted = isRelevant && (await this.#options.node.hasQuorum(finalizedBlock, signal))
    return isTrusted ? finalizedBlock : cursor.finalizedBlock
  }
}

/** The code of an error of PostgreSQL. */
function getCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
