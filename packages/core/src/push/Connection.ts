import { onlineManager, type QueryState } from '@tanstack/query-core'
import { CHANGES_HEADER } from '@headwater/contract'
import { type ResponseOrigin, responseOrigins, restoreOrigin } from '../requests/responseOrigins.ts'
import { idle } from '../snapshots/createSnapshots.ts'
import { SharedSource } from '../snapshots/SharedSource.ts'
import { SnapshotObservable } from '../snapshots/SnapshotObservable.ts'
import { msPerMinute } from '../time.ts'

/**
 * How a client receives changes: `live` while the service pushes them, `polling` while it does not, or `offline`. A connection
 * that is cut remains `live` for four seconds, within which it usually resumes.
 *
 * @example
 * import type { ConnectionState } from '@headwater/core'
 * const isDelayed = (state: ConnectionState) => state !== 'live'
 */
export type ConnectionState = 'live' | 'polling' | 'offline'

/** A response of a client. */
interface ReceivedResponse {
  readonly response: object
  readonly headers?: Pick<Headers, 'has'> | undefined
}

const maxOrigins = 1000

/**
 * How a client receives changes. The code that follows them is loaded once a response shows that the service pushes them, so
 * that apps of other services do not download it.
 */
export class Connection {
  /** Those of the latest responses, oldest first: any of them may have updated a price. */
  readonly origins: ResponseOrigin[] = []
  isDestroyed = false
  #isLive = false
  /** Starts to follow changes; undefined if they are not to be followed. */
  #start: (() => Promise<void>) | undefined
  /** When to call it, in time that is never set back. */
  #startAt = 0
  #unsubscribe = () => {}
  readonly #source = new SharedSource<ConnectionState>(
    {
      read: () => this.state,
      readFetchState: () => idle,
      start: ({ update }) => {
        this.#unsubscribe = onlineManager.subscribe(update)
      },
      stop: () => this.#unsubscribe(),
    },
    () => this.isDestroyed,
  )
  readonly connection$ = new SnapshotObservable<ConnectionState, ConnectionState>(this.#source)

  get state(): ConnectionState {
    return !onlineManager.isOnline() ? 'offline' : this.#isLive ? 'live' : 'polling'
  }

  setLive(isLive: boolean): void {
    if (this.#isLive !== isLive) {
      this.#isLive = isLive
      this.#source.update()
    }
  }

  /**
   * Records responses, and starts to follow changes once one shows that the service pushes them. If that fails, it is repeated
   * with a response after a minute: loaders of bundlers load a chunk again, while Chromium remembers that the import of a module
   * failed until the page is reloaded.
   *
   * @param listeners - The listeners of all responses.
   * @param start - Loads the code that follows changes, and starts it unless the client is destroyed.
   */
  follow(
    listeners: { add(listener: (event: ReceivedResponse) => void): void },
    start: () => Promise<void>,
  ): void {
    this.#start = start
    listeners.add(({ response, headers }) => {
      if (headers?.has(CHANGES_HEADER)) {
        this.#add(responseOrigins.get(response))
      }
    })
  }

  /** Reads the state of a query, which may be that of a server whose response shows that the service pushes changes. */
  readonly restore = (state: QueryState): void => {
    const origin = restoreOrigin(state)
    // Prices that are older than the response are not of its blocks.
    this.#add(origin && { ...origin, sentAt: state.dataUpdatedAt })
  }

  #add(origin: ResponseOrigin | undefined): void {
    if (!origin) {
      return
    }
    this.origins.push(origin)
    if (this.origins.length > maxOrigins) {
      this.origins.shift()
    }
    if (this.#start && performance.now() >= this.#startAt) {
      this.#startAt = Infinity
      // The network failed, or a bundler or content security policy does not support it. Polling continues.
      this.#start().catch(() => {
        this.#startAt = performance.now() + msPerMinute
      })
    }
  }

  destroy(): void {
    this.isDestroyed = true
    this.#isLive = false
    this.#source.complete()
    this.#unsubscribe()
  }
}
