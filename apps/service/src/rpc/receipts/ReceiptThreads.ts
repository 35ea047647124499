import { availableParallelism } from 'node:os'
import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { NodeError } from '../transport/NodeError.ts'
import type { ReceiptsRequest, ReceiptsResponse } from './receiptMessages.ts'

// `.ts` in the sources, `.js` in the package.
const threadFileName = `./receiptThread${extname(import.meta.url)}`
/** The thread that requests and indexes blocks takes about as long as parsing them, so that more would be idle. */
const maxThreads = 4
/** The objects of a response become garbage together: they are collected before they are moved to the old generation. */
const maxYoungGenerationSizeMb = 96
/** Unused threads exit, as they keep memory. */
const idleMs = 5_000

/** Threads that parse and verify receipts, so that this takes no time of requests and indexing. */
export class ReceiptThreads {
  readonly #size: number
  readonly #threads = new Set<ReceiptThread>()

  /** @param size - how many threads there are at most. */
  constructor(size = Math.min(maxThreads, Math.max(1, availableParallelism() - 1))) {
    this.#size = size
  }

  /** How many threads run. */
  get count(): number {
    return this.#threads.size
  }

  /**
   * Parses and verifies a response. Its body is moved to the thread, and returned if it is not valid.
   *
   * @throws {NodeError} retryable, when the thread exits, as a response may exceed its memory.
   */
  async parse(request: ReceiptsRequest): Promise<ReceiptsResponse> {
    const threads = [...this.#threads].sort((a, b) => a.pendingCount - b.pendingCount)
    const [leastBusy] = threads
    const isSufficient = leastBusy?.pendingCount === 0 || threads.length >= this.#size
    return await (leastBusy && isSufficient ? leastBusy : this.#start()).parse(request)
  }

  #start(): ReceiptThread {
    const thread = new ReceiptThread(() => this.#threads.delete(thread))
    this.#threads.add(thread)
    return thread
  }
}

interface PendingRequest {
  readonly resolve: (response: ReceiptsResponse) => void
  readonly reject: (error: Error) => void
}

/** One thread. It ends when it was not used for some time, and does not keep the process alive while it is not used. */
class ReceiptThread {
  readonly #worker: Worker
  /** Oldest first. */
  readonly #pending: PendingRequest[] = []
  #idle: NodeJS.Timeout | undefined

  constructor(onEnd: () => void) {
    this.#worker = new Worker(new URL(threadFileName, import.meta.url), {
      // The arguments of this process may be those of a test runner.
      execArgv: [],
      resourceLimits: { maxYoungGenerationSizeMb },
    })
    this.#worker.on('message', (response: ReceiptsResponse) => {
      this.#pending.shift()?.resolve(response)
      if (this.#pending.length === 0) {
        this.#worker.unref()
        this.#idle = setTimeout(() => {
          onEnd()
          void this.#worker.terminate()
        }, idleMs).unref()
      }
    })
    let reason = 'it exited'
    this.#worker.on('error', (error) => (reason = (error as Error).message))
    this.#worker.on('exit', () => {
      clearTimeout(this.#idle)
      onEnd()
      const message = `the thread that parses receipts failed: ${reason}`
      for (const { reject } of this.#pending.splice(0)) {
        reject(new NodeError(message, { kind: 'malformed', mayExceedLimit: true }))
      }
    })
  }

  /** How many responses wait or are parsed. */
  get pendingCount(): number {
    return this.#pending.length
  }

  parse(request: ReceiptsRequest): Promise<ReceiptsResponse> {
    clearTimeout(this.#idle)
    this.#worker.ref()
    return new Promise((resolve, reject) => {
      this.#pending.push({ resolve, reject })
      this.#worker.postMessage(request, [request.body.buffer])
    })
  }
}

/** The threads of this process, which all chains share. */
export const receiptThreads = new ReceiptThreads()
