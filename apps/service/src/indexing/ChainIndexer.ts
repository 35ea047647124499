import { setTimeout as delay } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import type { ChainConfig } from '../config/Config.ts'
import type { BlockHeader } from '../rpc/BlockHeader.ts'
import type { ChainNode } from '../rpc/ChainNode.ts'
import type { Database } from '../store/Database.ts'
import { BackOff } from '../rpc/BackOff.ts'
import type { Batch } from './Batch.ts'
import { BatchLimit } from './BatchLimit.ts'
import { BlockFetcher, type Previous } from './BlockFetcher.ts'
import { ChainState } from './ChainState.ts'
import { commitBatch } from './commitBatch.ts'
import { createAnswerIndexes } from './createAnswerIndexes.ts'
import { IndexingError } from './IndexingError.ts'
import { markSynced } from './markSynced.ts'
import { prepareAnswers } from './prepareAnswers.ts'
import { Progress, type ProgressReport } from './Progress.ts'
import type { Cursor } from './readCursor.ts'
import { relateToHead } from './relateToHead.ts'
import { verifyChain } from './verifyChain.ts'

/** Most blocks to put in the place of others in one commit. */
const replacedBlocks = 512
/** So near the head, by either, the first indexing is done: what is missing comes with the next look. */
const nearHead = { blocks: 64, seconds: 180 }

/** What an indexer works with, and whom it tells. */
interface ChainIndexerOptions {
  readonly chain: ChainConfig
  readonly db: Kysely<Database>
  readonly node: ChainNode
  readonly logger: Logger
  /** How much to commit at once. */
  readonly limit?: BatchLimit
  /** Called with each head that the nodes tell, before it is followed. */
  readonly onHead?: (head: BlockHeader) => void
  /** Called after each commit. */
  readonly onCommit?: () => void
  /** Awaited when everything up to the head is indexed, before the chain is called synced. It must come to an end. */
  readonly beforeSynced?: (signal: AbortSignal) => Promise<void>
  /** Called once, when everything up to the head is indexed. */
  readonly onSynced?: () => void
  /** Called now and then during the first indexing. */
  readonly onProgress?: (text: string) => void
}

/** Indexes one chain: from where the store stands up to the head, and then along with it. */
export class ChainIndexer {
  readonly #options: ChainIndexerOptions
  readonly #fetcher: BlockFetcher
  readonly #backOff = new BackOff()
  readonly #limit: BatchLimit
  readonly #progress: Progress
  #state: ChainState | undefined
  /** Whether the store was made fit for answers. */
  #isPrepared = false
  #isSynced = false

  constructor(options: ChainIndexerOptions) {
    this.#options = options
    this.#fetcher = new BlockFetcher(options.node)
    this.#limit = options.limit ?? new BatchLimit()
    this.#progress = new Progress((text) => {
      options.logger.info(text)
      options.onProgress?.(text)
    })
  }

  /** How far it is; undefined before the first commit. */
  get progress(): ProgressReport | undefined {
    return this.#progress.report
  }

  /**
   * Runs until the signal aborts; a commit that has begun is finished. Failures of nodes and store are waited out.
   *
   * @throws {IndexingError} when only a person can help.
   */
  async run(signal: AbortSignal): Promise<void> {
    const { chain, logger } = this.#options
    while (!signal.aborted) {
      try {
        await this.#advance(signal)
        if (this.#backOff.succeeded()) logger.info('indexing goes on')
        await delay(chain.pollIntervalMs, undefined, { signal })
      } catch (error) {
        if (signal.aborted) return
        if (error instanceof IndexingError) throw error
        // What was committed is known only to the store.
        this.#state = undefined
        this.#options.node.doubtHead()
        await this.#backOff.failed(
          () => logger.warn({ err: error }, 'indexing waits and tries again'),
          signal,
        )
      }
    }
  }

  /** Brings the store to the nodes' head, once. */
  async #advance(signal: AbortSignal): Promise<void> {
    const { chain, db, node, logger } = this.#options
    this.#state ??= await this.#start(signal)
    const { cursor } = this.#state
    const head = await node.getHead(signal)
    this.#options.onHead?.(head)
    const relation = await relateToHead(db, node, chain, cursor, head, signal)
    if (relation.kind === 'ahead') await this.#extend(this.#state, head, signal)
    else if (relation.kind === 'replaced') {
      const { ancestor } = relation
      logger.warn({ ancestor: ancestor.number, from: cursor.block, to: head }, 'reorg')
      await this.#replace(cursor, ancestor, head, signal)
    }
    if (this.#state.cursor.block?.number !== head.number || signal.aborted) return
    if (!this.#state.cursor.isSynced) await this.#endFirstIndexing(this.#state, head, signal)
    if (this.#state.cursor.isSynced) this.#synced()
  }

  /** Reads where the store stands. */
  async #start(signal: AbortSignal): Promise<ChainState> {
    const { chain, db, node } = this.#options
    const cursor = await verifyChain(db, node, chain, signal)
    // Also where somebody dropped them, or an earlier version had none.
    if (cursor.isSynced) await createAnswerIndexes(db, this.#options.logger, signal)
    this.#progress.start(cursor.block?.number ?? chain.startBlock - 1)
    return await ChainState.read(db, chain, cursor)
  }

  /** Indexes up to the head, fetching and folding the next blocks while the present batch is written. */
  async #extend(state: ChainState, head: BlockHeader, signal: AbortSignal): Promise<void> {
    const finalBlock = await this.#trustedFinalBlock(state.cursor, head, signal)
    const start = { number: this.#options.chain.startBlock - 1, hash: undefined }
    const range = { last: head.number, finalBlock, most: this.#limit.blocks }
    let builder = state.startBatch(finalBlock)
    let writing: Promise<void> = Promise.resolve()
    let isWriting = false
    const write = async () => {
      await writing
      state.endBatch()
      isWriting = true
      writing = this.#commit(state, builder.batch, { head }).finally(() => (isWriting = false))
      // Until it is awaited.
      writing.catch(() => {})
      builder = state.startBatch(finalBlock)
    }
    try {
      for await (const fetched of this.#fetcher.fetch(state.cursor.block ?? start, range, signal)) {
        await builder.add(fetched)
        const last = fetched.blocks.at(-1)?.number
        if (signal.aborted) return
        // What is final need not wait for the last blocks, each of which is written with its undo.
        const isEnd = last === head.number || (last === finalBlock && !isWriting)
        if (isEnd || this.#limit.isFull(builder, isWriting)) await write()
      }
      await writing
    } catch (error) {
      // What the nodes gave before they failed need not be asked again.
      if (!signal.aborted && builder.isWhole) await write()
      throw error
    } finally {
      await Promise.allSettled([writing])
    }
  }

  /** Takes the blocks above the ancestor back and puts the nodes' in their place, in one commit. */
  async #replace(
    cursor: Cursor,
    ancestor: Previous,
    head: BlockHeader,
    signal: AbortSignal,
  ): Promise<void> {
    const { chain, db } = this.#options
    const last = Math.min(head.number, ancestor.number + replacedBlocks)
    const state = await ChainState.read(db, chain, cursor, ancestor.number)
    // Each with its undo: it may be committed before it reaches the head.
    const builder = state.startBatch(cursor.finalBlock)
    // None is final that has an ancestor which is not; or it was, and its undo is gone.
    const range = { last, finalBlock: ancestor.number, most: this.#limit.blocks }
    for await (const fetched of this.#fetcher.fetch(ancestor, range, signal)) {
      await builder.add(fetched)
      // The others continue these.
      if (this.#limit.isFull(builder)) break
    }
    await this.#commit(state, builder.batch, { head, ancestor: ancestor.number })
    this.#state = await ChainState.read(db, chain, state.cursor)
  }

  async #commit(
    state: ChainState,
    batch: Batch,
    { head, ancestor }: { head: BlockHeader; ancestor?: number },
  ): Promise<void> {
    const { chain, db, onCommit } = this.#options
    const { cursor } = state
    const last = batch.blocks.at(-1)
    if (!last) return
    const reachesHead = last.number >= head.number
    // A head that was reached is one: its blocks continue ours. Before, nothing is final that is not here.
    const finalBlock = reachesHead
      ? this.#finalBlock(cursor, head)
      : Math.max(cursor.finalBlock, Math.min(batch.finalBlock, last.number))
    const target = {
      chainId: chain.id,
      from: cursor.block,
      ...(ancestor !== undefined && { ancestor }),
    }
    try {
      await commitBatch(db, { ...batch, finalBlock }, target)
      this.#limit.committed()
    } catch (error) {
      if (isCancelled(error)) this.#limit.refused(batch.blocks.length)
      throw error
    }
    state.cursor = { ...cursor, block: last, finalBlock }
    this.#progress.reached(last.number, head.number, batch.logs)
    onCommit?.()
    if (!reachesHead) this.#progress.tell()
  }

  #finalBlock(cursor: Cursor, head: BlockHeader): number {
    return Math.max(cursor.finalBlock, head.number - this.#options.chain.finalityDepth)
  }

  /**
   * Up to where blocks are indexed without an undo. A head alone makes none final, for a node may tell any number; it
   * does where the nodes agree on the block that it would make final.
   */
  async #trustedFinalBlock(
    cursor: Cursor,
    head: BlockHeader,
    signal: AbortSignal,
  ): Promise<number> {
    const finalBlock = this.#finalBlock(cursor, head)
    const indexed = cursor.block?.number ?? this.#options.chain.startBlock - 1
    const isNeeded = finalBlock > Math.max(indexed, cursor.finalBlock)
    const isTrusted = isNeeded && (await this.#options.node.agreeOnBlock(finalBlock, signal))
    return isTrusted ? finalBlock : cursor.finalBlock
  }

  /**
   * Calls the chain synced once it is fit for answers and audited, if this block, the newest that is stored, is near the
   * head. The head that indexing was led to may be hours old, and so may it be once the indexes are made: the nodes are
   * asked again.
   */
  async #endFirstIndexing(
    state: ChainState,
    block: BlockHeader,
    signal: AbortSignal,
  ): Promise<void> {
    const { chain, db, logger, beforeSynced } = this.#options
    if (!(await this.#isNearHead(block, signal))) return
    if (!this.#isPrepared) {
      await prepareAnswers(db, logger, signal)
      this.#isPrepared = true
      if (!(await this.#isNearHead(block, signal))) return
    }
    await beforeSynced?.(signal)
    signal.throwIfAborted()
    await markSynced(db, chain.id)
    state.cursor = { ...state.cursor, isSynced: true }
  }

  async #isNearHead({ number, time }: BlockHeader, signal: AbortSignal): Promise<boolean> {
    try {
      const head = await this.#options.node.getHead(signal)
      this.#options.onHead?.(head)
      return head.number - number <= nearHead.blocks || head.time - time <= nearHead.seconds
    } catch {
      // What was indexed is worth keeping all the same; the next look at the head tells.
      return false
    }
  }

  #synced(): void {
    if (this.#isSynced) return
    this.#isSynced = true
    this.#options.logger.info('indexed up to the head')
    this.#options.onSynced?.()
  }
}

/** Whether the database ended a statement that took too long. */
function isCancelled(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '57014'
}
