import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import type { ChainNode } from '../rpc/ChainNode.ts'
import { Backoff } from '../rpc/transport/Backoff.ts'
import type { Database } from '../store/Database.ts'
import { fillPendingTokens } from './fillPendingTokens.ts'

/** Reads the metadata of one chain's new tokens, beside the indexing and never in its way. */
export class MetadataReader {
  readonly #db: Kysely<Database>
  readonly #node: ChainNode
  readonly #chainId: number
  readonly #logger: Logger
  #wake: () => void = () => {}

  constructor(db: Kysely<Database>, node: ChainNode, chainId: number, logger: Logger) {
    this.#db = db
    this.#node = node
    this.#chainId = chainId
    this.#logger = logger
  }

  /** Says that there may be new tokens. */
  wake(): void {
    this.#wake()
  }

  /** Runs until the signal aborts. Failures of node and store are waited out. */
  async run(signal: AbortSignal): Promise<void> {
    const backOff = new Backoff()
    const onAbort = () => this.#wake()
    signal.addEventListener('abort', onAbort)
    while (!signal.aborted) {
      const woken = new Promise<void>((resolve) => (this.#wake = resolve))
      try {
        while (
          !signal.aborted &&
          (await fillPendingTokens(this.#db, this.#node, this.#chainId, signal)) > 0
        ) {
          // Until no token is pending.
        }
        backOff.succeeded()
        if (!signal.aborted) {
          await woken
        }
      } catch (error) {
        if (signal.aborted) {
          break
        }
        const tell = () => this.#logger.warn({ err: error }, 'reading of token metadata waits')
        await backOff.failed(tell, signal)
      }
    }
    signal.removeEventListener('abort', onAbort)
  }
}
