import { once } from 'node:events'
import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import type { ChainNode } from '../rpc/ChainNode.ts'
import { repeat } from '../rpc/transport/Backoff.ts'
import type { Database } from '../store/Database.ts'
import { msPerMinute } from '../time.ts'
import { waitAtMost } from '../waitAtMost.ts'
import { fillPendingTokens } from './fillPendingTokens.ts'
import { type CheckedTokens, markChangedTokens } from './markChangedTokens.ts'

interface MetadataReaderOptions {
  readonly db: Kysely<Database>
  readonly node: ChainNode
  readonly chainId: number
  readonly logger: Logger
  /** As in `AuditOptions`. */
  readonly ownerFunctions?: ReadonlyMap<string, string>
}

/** How often some notable tokens, and some that lack values, are read again: 600 an hour of each. */
const checkIntervalMs = 5 * msPerMinute

/**
 * Reads the metadata of one chain's new tokens in the background, without delaying the indexing, and again where that of a notable
 * token has changed, or a new one lacked values.
 */
export class MetadataReader {
  readonly #options: MetadataReaderOptions
  #wake: () => void = () => {}
  #onSettled: () => void = () => {}

  constructor(options: MetadataReaderOptions) {
    this.#options = options
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

  /** Runs until the signal aborts. Failures of the node and the store are retried. */
  async run(signal: AbortSignal): Promise<void> {
    if (!signal.aborted) {
      await Promise.all([this.#fill(signal), this.#check(signal)])
    }
  }

  /** Reads the pending tokens, and waits until there may be others. */
  async #fill(signal: AbortSignal): Promise<void> {
    signal.addEventListener('abort', () => this.#wake(), { once: true })
    const { db, node, chainId, logger, ownerFunctions } = this.#options
    const fillSome = () => fillPendingTokens(db, node, chainId, signal, ownerFunctions)
    const fill = async () => {
      const woken = new Promise<void>((resolve) => (this.#wake = resolve))
      try {
        while (!signal.aborted && (await fillSome()) > 0) {
          // Until no token is pending.
        }
      } finally {
        this.#onSettled()
      }
      await woken
      return 0
    }
    const log = (error: unknown) =>
      logger.warn({ err: error }, 'failed to fetch token metadata, retrying')
    await repeat(fill, log, signal)
  }

  /** Checks some tokens of each kind in each interval. */
  async #check(signal: AbortSignal): Promise<void> {
    const aborted = once(signal, 'abort')
    const last = { notable: '', incomplete: '' }
    while (!(await waitAtMost(aborted, checkIntervalMs))) {
      for (const kind of Object.keys(last) as CheckedTokens[]) {
        last[kind] = await this.#checkSome(kind, last[kind], signal)
      }
    }
  }

  /** @returns the last checked token, or that of the call before, which is repeated. */
  async #checkSome(kind: CheckedTokens, after: string, signal: AbortSignal): Promise<string> {
    const { db, node, chainId, logger } = this.#options
    try {
      const found = await markChangedTokens(db, node, chainId, { kind, after }, signal)
      if (found.changed.length > 0) {
        logger.info({ tokens: found.changed }, 'token metadata changed')
        this.#wake()
      }
      return found.last
    } catch (error) {
      if (!signal.aborted) {
        logger.warn({ err: error }, 'failed to check token metadata, retrying')
      }
      return after
    }
  }
}
