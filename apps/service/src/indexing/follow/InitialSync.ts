import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import type { ChainConfig } from '../../config/Config.ts'
import type { ChainNode } from '../../rpc/ChainNode.ts'
import type { BlockHeader } from '../../rpc/methods/BlockHeader.ts'
import type { Database } from '../../store/Database.ts'
import { prepareReads } from '../write/createReadIndexes.ts'
import { markSynced } from './Cursor.ts'

/** The sync is complete within either distance of the head; the next polls index the rest. */
const nearHead = { blocks: 64, seconds: 180 }

interface InitialSyncOptions {
  readonly chain: Pick<ChainConfig, 'id'>
  readonly db: Kysely<Database>
  readonly node: ChainNode
  readonly logger: Logger
  readonly onHead?: (head: BlockHeader) => void
  /** Awaited before the chain is marked as synced. It must settle when the signal aborts. */
  readonly beforeSynced?: (signal: AbortSignal) => Promise<void>
}

/** Completes the initial sync of a chain once the indexer reaches the head. */
export class InitialSync {
  readonly #options: InitialSyncOptions
  #hasPreparedReads = false

  constructor(options: InitialSyncOptions) {
    this.#options = options
  }

  /**
   * Prepares the chain for reads and marks it as synced, if the latest indexed block is near the head. The head that was
   * indexed up to may be hours old, and so may the next one after the indexes are created, so that each step fetches it
   * again.
   *
   * @param block - the latest indexed block.
   * @returns whether the chain is synced.
   */
  async tryComplete(block: BlockHeader, signal: AbortSignal): Promise<boolean> {
    const { chain, db, logger, beforeSynced } = this.#options
    if (!(await this.#isNearHead(block, signal))) {
      return false
    }
    if (!this.#hasPreparedReads) {
      await prepareReads(db, chain.id, logger, signal)
      this.#hasPreparedReads = true
      if (!(await this.#isNearHead(block, signal))) {
        return false
      }
    }
    await beforeSynced?.(signal)
    signal.throwIfAborted()
    await markSynced(db, chain.id)
    return true
  }

  async #isNearHead({ number, time }: BlockHeader, signal: AbortSignal): Promise<boolean> {
    try {
      const head = await this.#options.node.getHead(signal)
      this.#options.onHead?.(head)
      return head.number - number <= nearHead.blocks || head.time - time <= nearHead.seconds
    } catch {
      // A failed request does not affect indexed blocks; the next poll repeats the check.
      return false
    }
  }
}
