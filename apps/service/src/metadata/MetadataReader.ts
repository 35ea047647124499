import { once } from 'node:events'
import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import type { ChainNode } from '../rpc/ChainNode.ts'
import { Backoff } from '../rpc/transport/Backoff.ts'
import type { Database } from '../store/Database.ts'
import { msPerMinute } from '../time.ts'
import { waitAtMost } from '../waitAtMost.ts'
import { fillPendingTokens } from './fillPendingTokens.ts'
import { markChangedTokens } from './markChangedTokens.ts'

/** How often some notable tokens are read again: 600 an hour. */
const checkIntervalMs = 5 * msPerMinute

/**
 * Reads the metadata of one chain's new tokens in the background, without delaying the indexing, and again where that of a notable
 * token has changed.
 */
export class MetadataReader {
  readonly #db: Kysely<Database>
  readonly #node: ChainNode
  readonly #chainId: number
  readonly #logger: Logger
  readonly #ownerFunctions: ReadonlyMap<string, string> | undefined
  #wake: () => void = () => {}
  #onSettled: () => void = () => {}

  /** @param ownerFunctions - as in `AuditOptions`. */
  constructor(
    db: Kysely<Database>,
    node: ChainNode,
    chainId: number,
    logger: Logger,
    ownerFunctions?: ReadonlyMap<string, string>,
  ) {
    this.#db = db
    this.#node = node
    this.#chainId = chainId
    this.#logger = logger
    this.#ownerFunctions = ownerFunctions
  }

  /** Call when there may be new tokens. */
  wake(): void {
    this.#wake()
  }

  /** Waits until no token is pending, none could be read, or the signal aborts. */
  async settle(signal: AbortSignal): Promise<void> {
    if (signal.aborted) {
      // No event follows.
      return
    }
    const settled = new Promise<void>((resolve) => {
      this.#onSettled = resolve
      signal.addEventListener('abort', () => resolve(), { once: true })
    })
    this.#wake()
    await settled
  }

  /** Runs until the signal aborts. Failures of the node and the store are retried with a backoff. */
  async run(signal: AbortSignal): Promise<void> {
    await Promise.all([this.#fill(signal), this.#check(signal)])
  }

  async #check(signal: AbortSignal): Promise<void> {
    const aborted = once(signal, 'abort')
    let after = ''
    while (!signal.aborted) {
      await waitAtMost(aborted, checkIntervalMs)
      if (signal.aborted) {
        return
      }
      try {
        const found = await markChangedTokens(this.#db, this.#node, this.#chainId, after, signal)
        after = found.last
        if (found.changed.length > 0) {
          this.#logger.info({ tokens: found.changed }, 'token metadata changed')
          this.#wake()
        }
      } catch (error) {
        if (!signal.aborted) {
          this.#logger.warn({ err: error }, 'failed to check token metadata, retrying')
        }
      }
    }
  }

  async #fill(signal: AbortSignal): Promise<void> {
    const backoff = new Backoff()
    const onAbort = () => this.#wake()
    signal.addEventListener('abort', onAbort)
    while (!signal.aborted) {
      const fill = () =>
        fillPendingTokens(this.#db, this.#node, this.#chainId, signal, this.#ownerFunctions)
      const woken = new Promise<void>((resolve) => (this.#wake = resolve))
      try {
        while (!signal.aborted && (await fill()) > 0) {
          // Until no token is pending.
        }
        this.#onSettled()
        backoff.succeeded()
        if (!signal.aborted) {
          await woken
        }
      } catch (error) {
        if (signal.aborted) {
          break
        }
        this.#onSettled()
        const log = () =>
          this.#logger.warn({ err: error }, 'failed to fetch token metadata, retrying')
        await backoff.failed(log, signal)
      }
    }
    signal.removeEventListener('abort', onAbort)
  }
}
