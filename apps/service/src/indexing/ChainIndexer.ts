import { setTimeout as delay } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import type { ChainConfig } from '../config/Config.ts'
import type { BlockHeader } from '../rpc/BlockHeader.ts'
import type { ChainNode } from '../rpc/ChainNode.ts'
import type { Log } from '../rpc/Log.ts'
import { NodeError } from '../rpc/NodeError.ts'
import type { Database } from '../store/Database.ts'
import { BackOff } from '../rpc/BackOff.ts'
import { buildBatch } from './buildBatch.ts'
import { commitBatch } from './commitBatch.ts'
import { type FetchedBlocks, fetchBlocks } from './fetchBlocks.ts'
import { IndexingError } from './IndexingError.ts'
import { markSynced } from './markSynced.ts'
import { Progress } from './Progress.ts'
import { RangeSize } from './RangeSize.ts'
import type { Cursor } from './readCursor.ts'
import { readPools } from './readPools.ts'
import { relateToHead } from './relateToHead.ts'
import { createScope } from './Scope.ts'
import { verifyChain } from './verifyChain.ts'

/** Blocks that may still be replaced are asked one by one, this many at a time. */
const tailBlocks = 64
/** Most blocks to ask by range. */
const finalBlocks = 2_000
/** Most blocks to put in the place of others in one commit. */
const replacedBlocks = 512

/** The block that others continue; its hash is unknown before the first that is indexed. */
interface Previous {
  readonly number: number
  readonly hash: string | undefined
}

/** What an indexer works with, and whom it tells. */
interface ChainIndexerOptions {
  readonly chain: ChainConfig
  readonly db: Kysely<Database>
  readonly node: ChainNode
  readonly logger: Logger
  /** Called with each head that the nodes tell, before it is followed. */
  readonly onHead?: (head: BlockHeader) => void
  /** Called after each commit. */
  readonly onCommit?: () => void
  /** Called once, when everything up to the head is indexed. */
  readonly onSynced?: () => void
  /** Called now and then during the first indexing. */
  readonly onProgress?: (text: string) => void
}

/** Indexes one chain: from where the store stands up to the head, and then along with it. */
export class ChainIndexer {
  readonly #options: ChainIndexerOptions
  readonly #finalRange = new RangeSize(finalBlocks)
  readonly #tailRange = new RangeSize(tailBlocks)
  readonly #backOff = new BackOff()
  readonly #progress: Progress
  #state: { cursor: Cursor; pools: Set<string> } | undefined
  #isSynced = false

  constructor(options: ChainIndexerOptions) {
    this.#options = options
    this.#progress = new Progress((text) => {
      options.logger.info(text)
      options.onProgress?.(text)
    })
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
    this.#state ??= {
      cursor: await verifyChain(db, node, chain, signal),
      pools: await readPools(db, chain.id),
    }
    const { cursor } = this.#state
    const head = await node.getHead(signal)
    this.#options.onHead?.(head)
    const relation = await relateToHead(db, node, chain, cursor, head, signal)
    if (relation.kind === 'level') {
      if (!cursor.isSynced) {
        await markSynced(db, chain.id)
        this.#state.cursor = { ...cursor, isSynced: true }
      }
      this.#synced()
    } else if (relation.kind === 'ahead') await this.#extend(cursor, head, signal)
    else if (relation.kind === 'replaced') {
      const { ancestor } = relation
      logger.warn({ ancestor: ancestor.number, from: cursor.block, to: head }, 'reorg')
      await this.#replace(ancestor, head, signal)
    }
  }

  /** Indexes up to the head, fetching the next blocks while the present ones are written. */
  async #extend(cursor: Cursor, head: BlockHeader, signal: AbortSignal): Promise<void> {
    const finalBlock = this.#finalBlock(cursor, head)
    const fetchAfter = (previous: Previous) =>
      previous.number < finalBlock
        ? this.#fetch(previous, Math.min(finalBlock, head.number), true, signal)
        : this.#fetch(previous, head.number, false, signal)
    const start = { number: this.#options.chain.startBlock - 1, hash: undefined }
    let fetching: Promise<FetchedBlocks> | undefined = fetchAfter(cursor.block ?? start)
    while (fetching && !signal.aborted) {
      const fetched: FetchedBlocks = await fetching
      const last = fetched.blocks.at(-1)
      fetching = last && last.number < head.number ? fetchAfter(last) : undefined
      // When the commit fails, nobody awaits this one.
      fetching?.catch(() => {})
      await this.#commit(fetched, head)
    }
  }

  /** Takes the blocks above the ancestor back and puts the nodes' in their place, in one commit. */
  async #replace(ancestor: Previous, head: BlockHeader, signal: AbortSignal): Promise<void> {
    const { chain, db } = this.#options
    const to = Math.min(head.number, ancestor.number + replacedBlocks)
    const [blocks, logs]: [BlockHeader[], Log[]] = [[], []]
    for (let last = ancestor; last.number < to; last = blocks.at(-1) ?? last) {
      const fetched = await this.#fetch(last, to, false, signal)
      blocks.push(...fetched.blocks)
      logs.push(...fetched.logs)
    }
    // Pools of the blocks taken back may not exist any more.
    const { cursor } = this.#require()
    this.#state = { cursor, pools: await readPools(db, chain.id, ancestor.number) }
    await this.#commit({ blocks, logs }, head, ancestor.number)
  }

  /** Fetches as many blocks as the nodes give at once, up to the last one. */
  async #fetch(
    previous: Previous,
    last: number,
    isFinal: boolean,
    signal: AbortSignal,
  ): Promise<FetchedBlocks> {
    const size = isFinal ? this.#finalRange : this.#tailRange
    const from = previous.number + 1
    for (;;) {
      const to = Math.min(last, previous.number + size.blocks)
      const range = { from, to, parentHash: previous.hash, isFinal }
      try {
        const fetched = await fetchBlocks(this.#options.node, range, signal)
        size.answered(fetched.blocks.length, fetched.logs.length)
        return fetched
      } catch (error) {
        if (to === from || !(error instanceof NodeError) || !error.mayBeTooMuch) throw error
        size.refused()
      }
    }
  }

  async #commit(
    { blocks, logs }: FetchedBlocks,
    head: BlockHeader,
    ancestor?: number,
  ): Promise<void> {
    const { chain, db, onCommit } = this.#options
    const { cursor, pools } = this.#require()
    const last = blocks.at(-1)
    if (!last) return
    const finalBlock = this.#finalBlock(cursor, head)
    const reachesHead = last.number >= head.number
    const batch = buildBatch(blocks, logs, createScope(chain), pools)
    await commitBatch(db, batch, {
      chainId: chain.id,
      from: cursor.block,
      ...(ancestor !== undefined && { ancestor }),
      finalBlock,
      reachesHead,
    })
    for (const { address } of batch.pools) pools.add(address)
    const isSynced = cursor.isSynced || reachesHead
    this.#state = { cursor: { ...cursor, block: last, finalBlock, isSynced }, pools }
    onCommit?.()
    if (reachesHead) this.#synced()
    else this.#progress.reached(last, head.number)
  }

  #finalBlock(cursor: Cursor, head: BlockHeader): number {
    return Math.max(cursor.finalBlock, head.number - this.#options.chain.finalityDepth)
  }

  #require(): { cursor: Cursor; pools: Set<string> } {
    if (!this.#state) throw new Error('The indexer has not read its cursor')
    return this.#state
  }

  #synced(): void {
    if (this.#isSynced) return
    this.#isSynced = true
    this.#options.logger.info('indexed up to the head')
    this.#options.onSynced?.()
  }
}
