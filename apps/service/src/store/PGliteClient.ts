import { once } from 'node:events'
import { dirname, extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Copy } from './copyInto.ts'
import type {
  PGliteNotification,
  PGliteRequest,
  PGliteResponse,
  PGliteResult,
  PGliteSource,
} from './pgliteMessages.ts'
import { adviseRestore, StoreError } from './StoreError.ts'

// `.ts` in the sources, `.js` in the package.
const threadFileName = `./pgliteThread${extname(import.meta.url)}`

/** Rows of results die young. By default they use up to 48 MB before they are collected. */
const maxYoungGenerationSizeMb = 8

interface PendingRequest {
  readonly resolve: (result: PGliteResult) => void
  readonly reject: (error: Error) => void
}

/** A client of the embedded database in its worker thread, with one session. */
export class PGliteClient {
  /** Called when chains have changed, before the response to the statement that changed them. */
  readonly chainListeners = new Set<() => void>()
  readonly #source: PGliteSource
  readonly #worker: Worker
  readonly #failure = new AbortController()
  /** Oldest first. */
  readonly #pending: PendingRequest[] = []
  #exitError: Error | undefined
  #isClosing = false

  private constructor(source: PGliteSource) {
    this.#source = source
    this.#worker = new Worker(new URL(threadFileName, import.meta.url), {
      workerData: source,
      // The arguments of this process may be those of a test runner.
      execArgv: [],
      resourceLimits: { maxYoungGenerationSizeMb },
    })
    this.#worker.on('message', (message: PGliteResponse | PGliteNotification) => {
      if ('chainsChanged' in message) {
        for (const listener of this.chainListeners) {
          listener()
        }
      } else if ('failure' in message) {
        this.#fail(message.failure)
      } else {
        this.#settle(message)
      }
    })
    this.#worker.on('error', (error) => this.#fail((error as Error).message))
    this.#worker.on('exit', () =>
      this.#isClosing
        ? this.#rejectAll(new Error('The embedded database is closed'))
        : this.#fail('its thread exited'),
    )
  }

  /**
   * Opens the database and waits until it is ready.
   *
   * @throws {StoreError} when the database is damaged.
   */
  static async open(source: PGliteSource): Promise<PGliteClient> {
    const client = new PGliteClient(source)
    await client.#waitForResponse()
    return client
  }

  /** Aborts with a {@link StoreError} when the database fails: its disk is full or defective, or its files are damaged. */
  get failed(): AbortSignal {
    return this.#failure.signal
  }

  /**
   * Runs a statement after the previous requests.
   *
   * @param start - starts the transaction that the statement belongs to. If it fails, the statement is not run.
   */
  query(sql: string, parameters: readonly unknown[], start?: string): Promise<PGliteResult> {
    return this.#send({ sql, parameters, start })
  }

  /** Runs `COPY` after the previous requests. */
  copy(copy: Copy, start?: string): Promise<PGliteResult> {
    return this.#send({ copy, start })
  }

  /** Closes the database after the previous requests. */
  async close(): Promise<void> {
    if (this.#exitError) {
      return
    }
    this.#isClosing = true
    const exit = once(this.#worker, 'exit')
    await this.#send({ close: true })
    this.#worker.ref()
    await exit
  }

  #send(request: PGliteRequest): Promise<PGliteResult> {
    if (this.#exitError) {
      return Promise.reject(this.#exitError)
    }
    this.#worker.postMessage(request)
    return this.#waitForResponse()
  }

  async #waitForResponse(): Promise<PGliteResult> {
    // The worker keeps the process alive only while requests are pending.
    this.#worker.ref()
    try {
      return await new Promise<PGliteResult>((resolve, reject) => {
        this.#pending.push({ resolve, reject })
      })
    } catch (error) {
      // Replaces the stack of the message handler with that of the caller.
      Error.captureStackTrace(error as Error)
      throw error
    }
  }

  #settle(response: PGliteResponse): void {
    const request = this.#pending.shift()
    if (this.#pending.length === 0) {
      this.#worker.unref()
    }
    if ('rows' in response) {
      request?.resolve(response)
    } else {
      request?.reject(Object.assign(new Error(response.message), response.fields))
    }
  }

  /** Ends the thread without closing the database, which would write to its files. */
  #fail(reason: string): void {
    if (this.failed.aborted) {
      return
    }
    const error = new StoreError(describeFailure(this.#source, reason))
    this.#rejectAll(error)
    this.#failure.abort(error)
    void this.#worker.terminate()
  }

  #rejectAll(error: Error): void {
    this.#exitError ??= error
    for (const { reject } of this.#pending.splice(0)) {
      reject(this.#exitError)
    }
  }
}

function describeFailure(source: PGliteSource, reason: string): string {
  if ('image' in source) {
    return `The database in memory failed: ${reason}`
  }
  return (
    `The database in ${source.dataDir} failed: ${reason}. Check the disk and its free space, then start again. If that ` +
    `fails too, ${adviseRestore(dirname(source.dataDir))}`
  )
}
