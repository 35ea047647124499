import { setTimeout as delay } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import type { ReadUri } from '../media/createUriReader.ts'
import type { ChainNode } from '../rpc/ChainNode.ts'
import { Backoff } from '../rpc/transport/Backoff.ts'
import type { Database } from '../store/Database.ts'
import { fillPendingCollectibles } from './fillPendingCollectibles.ts'
import type { Lane } from './pickCollectibles.ts'

interface CollectibleReaderOptions {
  readonly db: Kysely<Database>
  readonly node: Pick<ChainNode, 'multicall' | 'getHead'>
  readonly chainId: number
  readonly readUri: ReadUri
  readonly logger: Logger
}

/** How long a lane rests when nobody waits in it. Who is asked for by another process waits no longer than that. */
const restMs: Readonly<Record<Lane, number>> = { requested: 500, fresh: 2000, retry: 15_000 }
const untilSyncedMs = 2000

/**
 * Reads the documents of one chain's NFTs, beside the indexing and once that has reached the head. Those that somebody
 * asked for, those never tried and those to try again are read side by side, so that none waits for another kind.
 */
export class CollectibleReader {
  readonly #options: CollectibleReaderOptions

  constructor(options: CollectibleReaderOptions) {
    this.#options = options
  }

  /** Runs until the signal aborts. Failures of node and store are waited out. */
  async run(signal: AbortSignal): Promise<void> {
    await this.#repeat(untilSyncedMs, signal, async () => !(await this.#isSynced()) && 'rest')
    await Promise.all(
      (['requested', 'fresh', 'retry'] as const).map((lane) => this.#read(lane, signal)),
    )
  }

  /** Whether the first indexing is done: before, there are no indexes to find anything by. */
  async #isSynced(): Promise<boolean> {
    const { db, chainId } = this.#options
    const synced = await db
      .selectFrom('chains')
      .select('chain_id')
      .where('chain_id', '=', chainId)
      .where('synced_at', 'is not', null)
      .executeTakeFirst()
    return synced !== undefined
  }

  async #read(lane: Lane, signal: AbortSignal): Promise<void> {
    const { db, node, chainId, readUri } = this.#options
    let after = ''
    // A turn of all contracts in which nobody waited.
    let isIdle = true
    await this.#repeat(restMs[lane], signal, async () => {
      const filled = fillPendingCollectibles({ db, node, chainId, readUri, lane, after, signal })
      const { asked, last } = await filled
      isIdle &&= asked === 0
      after = last
      const rests = last === '' && isIdle
      if (last === '') {
        isIdle = true
      }
      return rests ? 'rest' : true
    })
  }

  /** Does something again and again, with a rest where it says so, until it says false. */
  async #repeat(
    rest: number,
    signal: AbortSignal,
    work: () => Promise<boolean | 'rest'>,
  ): Promise<void> {
    const backOff = new Backoff()
    while (!signal.aborted) {
      try {
        const goesOn = await work()
        backOff.succeeded()
        if (goesOn === false) {
          return
        }
        if (goesOn === 'rest') {
          await delay(rest, undefined, { signal }).catch(() => {})
        }
      } catch (error) {
        if (signal.aborted) {
          return
        }
        const tell = () =>
          this.#options.logger.warn({ err: error }, 'reading of NFT documents waits')
        await backOff.failed(tell, signal)
      }
    }
  }
}
