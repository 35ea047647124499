import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import type { Database } from '../store/Database.ts'
import type { Key } from './Key.ts'
import { loadKeys } from './loadKeys.ts'
import { type UnitFlush, writeUnits } from './writeUnits.ts'

/** Units that are set aside for one request. Whichever is called first counts, and nothing after it. */
export interface Charge {
  /** The request is answered: they are used. */
  readonly commit: () => void
  /** The request is refused: they are free again. */
  readonly release: () => void
}

/** One key's units in this process. */
interface Account {
  /** The total in the store, of all processes, as last seen. */
  stored: number
  /** On their way into the store. */
  leaving: number
  /** Used, and not yet on their way. */
  used: number
  /** Set aside for requests that are being answered. */
  reserved: number
}

/** Used units are in the store after this time and the time of a commit. */
const FLUSH_INTERVAL_MS = 500
const LAST_ATTEMPTS = 3

/**
 * Counts the compute units of each key: set aside before the work, used once a request is answered, and written to the
 * store together, at most twice a second. What was not written is lost when the process is killed.
 *
 * Within one process no key can use more than its quota. Several processes hear of each other's units through the
 * store: together they may exceed a quota by what the others answered in the last moments (about 1.5 seconds).
 */
export class UnitMeter {
  readonly #db: Kysely<Database>
  readonly #logger: Logger
  readonly #process = randomUUID()
  readonly #accounts = new Map<number, Account>()
  /** A flush of which it is not known that it was written. */
  #outgoing: UnitFlush | undefined
  #flushes = 0
  #timer: NodeJS.Timeout | undefined
  #turn: Promise<unknown> = Promise.resolve()

  constructor(db: Kysely<Database>, logger: Logger) {
    this.#db = db
    this.#logger = logger
  }

  /** Reads keys by their hashes, and with them what other processes have used. */
  async loadKeys(hashes: readonly Uint8Array[]): Promise<ReadonlyMap<string, Key>> {
    return await this.#inTurn(async () => {
      // A total must not be read while nobody knows whether it holds the units that are leaving.
      await this.#settle()
      const keys = await loadKeys(this.#db, hashes)
      for (const { id, unitsUsed } of keys.values()) {
        this.#account(id).stored = unitsUsed
      }
      return keys
    })
  }

  /**
   * Sets units aside for a request.
   *
   * @returns undefined when the key's quota cannot pay them.
   */
  reserve(key: Key, units: number): Charge | undefined {
    const account = this.#account(key.id)
    const { stored, leaving, used, reserved } = account
    if (
      units > 0 &&
      key.unitsQuota !== undefined &&
      stored + leaving + used + reserved + units > key.unitsQuota
    ) {
      return undefined
    }
    account.reserved += units
    let open = true
    const close = () => {
      if (!open) {
        return false
      }
      open = false
      account.reserved -= units
      return true
    }
    return {
      commit: () => {
        if (!close() || units === 0) {
          return
        }
        account.used += units
        this.#flushSoon()
      },
      release: () => void close(),
    }
  }

  /**
   * Units that the key has left; undefined when it has no quota.
   *
   * @param units - that are about to be used.
   */
  remaining({ id, unitsQuota }: Key, units = 0): number | undefined {
    if (unitsQuota === undefined) {
      return undefined
    }
    const { stored, leaving, used } = this.#account(id)
    return Math.max(0, unitsQuota - stored - leaving - used - units)
  }

  /** Writes what was used. A failure is logged, and tried again later. */
  async flush(): Promise<void> {
    try {
      await this.#inTurn(async () => {
        await this.#settle()
        this.#collect()
        await this.#settle()
      })
    } catch (error) {
      this.#logger.warn({ err: error }, 'used units could not be written; trying again')
    }
    if (this.#unwritten() > 0) {
      this.#flushSoon()
    }
  }

  /** Writes what was used for the last time. */
  async close(): Promise<void> {
    for (let attempt = 0; attempt < LAST_ATTEMPTS; attempt++) {
      await this.flush()
      if (this.#unwritten() === 0) {
        break
      }
    }
    clearTimeout(this.#timer)
    const units = this.#unwritten()
    if (units > 0) {
      this.#logger.error({ units }, 'used units are lost: the store did not take them')
    }
  }

  #account(id: number): Account {
    let account = this.#accounts.get(id)
    if (!account) {
      account = { stored: 0, leaving: 0, used: 0, reserved: 0 }
      this.#accounts.set(id, account)
    }
    return account
  }

  #flushSoon(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      void this.flush()
    }, FLUSH_INTERVAL_MS)
  }

  #collect(): void {
    const units = new Map<number, number>()
    for (const [id, account] of this.#accounts) {
      if (account.used === 0) {
        continue
      }
      units.set(id, account.used)
      account.leaving = account.used
      account.used = 0
    }
    if (units.size > 0) {
      this.#outgoing = { process: this.#process, number: ++this.#flushes, units }
    }
  }

  /** Writes the flush that is open, if there is one. */
  async #settle(): Promise<void> {
    if (!this.#outgoing) {
      return
    }
    const totals = await writeUnits(this.#db, this.#outgoing)
    for (const id of this.#outgoing.units.keys()) {
      const account = this.#account(id)
      account.leaving = 0
      // A key that somebody deleted has no total.
      account.stored = totals.get(id) ?? account.stored
    }
    this.#outgoing = undefined
  }

  #unwritten(): number {
    let units = 0
    for (const { leaving, used } of this.#accounts.values()) {
      units += leaving + used
    }
    return units
  }

  /** One after the other, so that every total that is read stands for a known set of flushes. */
  async #inTurn<Result>(task: () => Promise<Result>): Promise<Result> {
    const result = this.#turn.then(task)
    this.#turn = result.catch(() => {})
    return await result
  }
}
