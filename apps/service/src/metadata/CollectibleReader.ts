import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import type { ReadUri } from '../media/createUriReader.ts'
import type { ChainNode } from '../rpc/ChainNode.ts'
import { repeat } from '../rpc/transport/Backoff.ts'
import type { Database } from '../store/Database.ts'
import { fillPendingCollectibles } from './fillPendingCollectibles.ts'
import { isSynced } from './isSynced.ts'
import type { CollectibleQueue } from './loadDueCollectibles.ts'

interface CollectibleReaderOptions {
  readonly db: Kysely<Database>
  readonly node: Pick<ChainNode, 'multicall' | 'getHead'>
  readonly chainId: number
  readonly readUri: ReadUri
  readonly logger: Logger
}

/** How often an empty queue is polled. Requests of other processes are read after this time at the latest. */
const pollIntervalsMs: Readonly<Record<CollectibleQueue, number>> = {
  requested: 500,
  fresh: 2000,
  retry: 15_000,
}
const syncedPollIntervalMs = 2000

/**
 * Reads the metadata of one chain's NFTs in the background, from when the first indexing has reached the head. The
 * queues are read concurrently, so that they do not delay each other.
 */
export class CollectibleReader {
  readonly #options: CollectibleReaderOptions

  constructor(options: CollectibleReaderOptions) {
    this.#options = options
  }

  /** Runs until the signal aborts. Failures of the node and the store are retried with a backoff. */
  async run(signal: AbortSignal): Promise<void> {
    const { db, chainId } = this.#options
    await this.#repeat(
      async () => ((await isSynced(db, chainId)) ? undefined : syncedPollIntervalMs),
      signal,
    )
    await Promise.all(
      (['requested', 'fresh', 'retry'] as const).map((queue) => this.#read(queue, signal)),
    )
  }

  async #read(queue: CollectibleQueue, signal: AbortSignal): Promise<void> {
    const { db, node, chainId, readUri } = this.#options
    let after = ''
    /** Whether no contract had a pending NFT since the start of the list of contracts. */
    let isIdle = true
    await this.#repeat(async () => {
      const options = { db, node, chainId, readUri, queue, after, signal }
      const { readCount, last } = await fillPendingCollectibles(options)
      isIdle &&= readCount === 0
      after = last
      const isEmpty = last === '' && isIdle
      if (last === '') {
        isIdle = true
      }
      return isEmpty ? pollIntervalsMs[queue] : 0
    }, signal)
  }

  async #repeat(step: () => Promise<number | undefined>, signal: AbortSignal): Promise<void> {
    const log = (error: unknown) =>
      this.#options.logger.warn({ err: error }, 'failed to fetch NFT metadata, retrying')
    await repeat(step, log, signal)
  }
}
