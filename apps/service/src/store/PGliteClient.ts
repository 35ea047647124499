import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { Copy } from './copyInto.ts'
import type {
  PGliteAnswer,
  PGliteNotification,
  PGliteQuestion,
  PGliteResult,
  PGliteSource,
} from './pgliteMessages.ts'

interface Waiting {
  readonly resolve: (result: PGliteResult) => void
  readonly reject: (error: Error) => void
}

/** The embedded database in a thread of its own, as one session. */
export class PGliteClient {
  /** Called when chains have changed, before the answer to the statement that changed them. */
  readonly chainListeners = new Set<() => void>()
  readonly #worker: Worker
  /** In the order of their questions, which is that of the answers. */
  readonly #waiting: Waiting[] = []
  #ended: Error | undefined

  private constructor(source: PGliteSource) {
    this.#worker = new Worker(new URL('./pgliteThread.ts', import.meta.url), {
      workerData: source,
      // What this process was started with may be a test runner's.
      execArgv: [],
    })
    this.#worker.on('message', (message: PGliteAnswer | PGliteNotification) => {
      if ('chainsChanged' in message) {
        for (const listener of this.chainListeners) {
          listener()
        }
      } else {
        this.#answered(message)
      }
    })
    this.#worker.on('error', (error) => this.#end(error as Error))
    this.#worker.on('exit', () => this.#end(new Error('The embedded database has ended')))
  }

  /** Opens the database and waits until it answers. */
  static async open(source: PGliteSource): Promise<PGliteClient> {
    const client = new PGliteClient(source)
    await client.#wait()
    return client
  }

  /** Runs a statement after those that were asked before. */
  query(sql: string, parameters: readonly unknown[]): Promise<PGliteResult> {
    return this.#ask({ sql, parameters })
  }

  /** Runs a statement that takes rows. */
  copy(copy: Copy): Promise<PGliteResult> {
    return this.#ask({ copy })
  }

  /** Lets what was asked be answered, and closes. */
  async close(): Promise<void> {
    if (this.#ended) {
      return
    }
    const exit = once(this.#worker, 'exit')
    await this.#ask({ close: true })
    this.#worker.ref()
    await exit
  }

  #ask(question: PGliteQuestion): Promise<PGliteResult> {
    if (this.#ended) {
      return Promise.reject(this.#ended)
    }
    this.#worker.postMessage(question)
    return this.#wait()
  }

  async #wait(): Promise<PGliteResult> {
    // Only who waits for an answer keeps the process alive.
    this.#worker.ref()
    try {
      return await new Promise<PGliteResult>((resolve, reject) => {
        this.#waiting.push({ resolve, reject })
      })
    } catch (error) {
      // With who asked instead of the thread's message in its stack.
      Error.captureStackTrace(error as Error)
      throw error
    }
  }

  #answered(answer: PGliteAnswer): void {
    const waiting = this.#waiting.shift()
    if (this.#waiting.length === 0) {
      this.#worker.unref()
    }
    if ('rows' in answer) {
      waiting?.resolve(answer)
    } else {
      waiting?.reject(Object.assign(new Error(answer.message), answer.fields))
    }
  }

  #end(error: Error): void {
    this.#ended ??= error
    for (const { reject } of this.#waiting.splice(0)) {
      reject(this.#ended)
    }
  }
}
