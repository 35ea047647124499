import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import type { Database } from '../store/Database.ts'
import { isDatabaseUnavailable } from '../store/isDatabaseUnavailable.ts'
import { queryInTime } from '../store/queryInTime.ts'
import type { ApiKey } from './ApiKey.ts'
import { loadKeys } from './loadKeys.ts'
import { type UnitFlush, writeUnits } from './writeUnits.ts'

/** Units reserved for one request. Only the first call of either function has an effect. */
export interface Charge {
  /** Charges these units, at most the reserved ones, or all of them: the request succeeded. */
  readonly commit: (units?: number) => void
  /** Releases the units: the request failed. */
  readonly release: () => void
}

/** The units of one key in this process. */
interface Account {
  /** The stored total of all processes, as last read. */
  stored: number
  /** In the flush that is being written. */
  flushing: number
  /** Charged since that flush. */
  used: number
  /** Reserved for requests in flight. */
  reserved: number
}

/** Charged units are stored after this time and the time of a commit. */
const flushIntervalMs = 500
const closeAttempts = 3
/** A primary that does not respond for this long counts as unavailable. */
const defaultTimeoutMs = 5_000

/**
 * Counts the compute units of each key: reserved before the work, charged once a request succeeds, and written to the
 * store in batches, at most twice per second. Units that were not written are lost when the process is killed.
 *
 * Within one process a key cannot exceed its quota. Processes exchange their totals through the store: together they may
 * exceed a quota by the units of about 1.5 seconds. While the primary is unavailable, units are kept and written later, keys are
 * read from the replica, and a quota limits the units of this process since then.
 */
export class UnitMeter {
  readonly #db: Kysely<Database>
  readonly #replica: Kysely<Database> | undefined
  readonly #logger: Logger
  readonly #timeoutMs: number
  readonly #process = randomUUID()
  readonly #accounts = new Map<number, Account>()
  /** A flush that is not confirmed as written. */
  #openFlush: UnitFlush | undefined
  #flushes = 0
  /** Whether the latest flush failed. */
  #isFailing = false
  #timer: NodeJS.Timeout | undefined
  #lastTask: Promise<unknown> = Promise.resolve()

  /** @param replica - where keys are read while `db`, the primary, is unavailable. */
  constructor(
    db: Kysely<Database>,
    logger: Logger,
    replica?: Kysely<Database>,
    timeoutMs = defaultTimeoutMs,
  ) {
    this.#db = db
    this.#timeoutMs = timeoutMs
    this.#replica = replica
    this.#logger = logger
  }

  /** Loads keys by their hashes, and the units that other processes have charged. */
  async loadKeys(hashes: readonly Uint8Array[]): Promise<ReadonlyMap<string, ApiKey>> {
    return await this.#runExclusive(async () => {
      try {
        // A database with a full disk, or that is read-only for that reason, can be read.
        await this.#writeOpenFlush().catch(throwUnlessRejected)
        const keys = await this.#inTime(loadKeys(this.#db, hashes))
        for (const { id, unitsUsed } of keys.values()) {
          // While a flush is not confirmed, it is unknown whether the stored totals include it.
          if (!this.#openFlush?.units.has(id)) {
            this.#account(id).stored = unitsUsed
          }
        }
        return keys
      } catch (error) {
        if (this.#replica && isDatabaseUnavailable(error)) {
          return await this.#loadFromReplica(this.#replica, hashes)
        }
        throw error
      }
    })
  }

  /**
   * Reserves units for a request.
   *
   * @returns undefined when the quota of the key is exhausted.
   */
  reserve(key: ApiKey, units: number): Charge | undefined {
    const account = this.#account(key.id)
    const { stored, flushing, used, reserved } = account
    if (
      units > 0 &&
      key.unitsQuota !== undefined &&
      stored + flushing + used + reserved + units > key.unitsQuota
    ) {
      return undefined
    }
    account.reserved += units
    let isOpen = true
    const close = () => {
      if (!isOpen) {
        return false
      }
      isOpen = false
      account.reserved -= units
      return true
    }
    return {
      commit: (charged = units) => {
        if (!close() || charged === 0) {
          return
        }
        account.used += charged
        this.#scheduleFlush()
      },
      release: () => void close(),
    }
  }

  /**
   * Returns the units that remain in the quota of a key; undefined when it has no quota.
   *
   * @param units - units to subtract, which are about to be charged.
   */
  remaining({ id, unitsQuota }: ApiKey, units = 0): number | undefined {
    if (unitsQuota === undefined) {
      return undefined
    }
    const { stored, flushing, used } = this.#account(id)
    return Math.max(0, unitsQuota - stored - flushing - used - units)
  }

  /** Writes the charged units. A failure is logged, and retried later. */
  async flush(): Promise<void> {
    try {
      await this.#runExclusive(async () => {
        await this.#writeOpenFlush()
        this.#collect()
        await this.#writeOpenFlush()
      })
      this.#isFailing = false
    } catch (error) {
      if (!this.#isFailing) {
        this.#logger.warn({ err: error }, 'failed to write used units, retrying')
      }
      this.#isFailing = true
    }
    if (this.#unwritten() > 0) {
      this.#scheduleFlush()
    }
  }

  /** Writes the remaining units and stops the timer. */
  async close(): Promise<void> {
    for (let attempt = 0; attempt < closeAttempts; attempt++) {
      await this.flush()
      if (this.#unwritten() === 0) {
        break
      }
    }
    clearTimeout(this.#timer)
    const units = this.#unwritten()
    if (units > 0) {
      this.#logger.error({ units }, 'failed to write used units, which are lost')
    }
  }

  /** The totals of a replica may be older than those that are known here. */
  async #loadFromReplica(
    replica: Kysely<Database>,
    hashes: readonly Uint8Array[],
  ): Promise<ReadonlyMap<string, ApiKey>> {
    const keys = await loadKeys(replica, hashes)
    for (const { id, unitsUsed } of keys.values()) {
      if (!this.#accounts.has(id)) {
        this.#account(id).stored = unitsUsed
      }
    }
    return keys
  }

  #account(id: number): Account {
    let account = this.#accounts.get(id)
    if (!account) {
      account = { stored: 0, flushing: 0, used: 0, reserved: 0 }
      this.#accounts.set(id, account)
    }
    return account
  }

  #scheduleFlush(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      void this.flush()
    }, flushIntervalMs)
  }

  #collect(): void {
    const units = new Map<number, number>()
    for (const [id, account] of this.#accounts) {
      if (account.used === 0) {
        continue
      }
      units.set(id, account.used)
      account.flushing = account.used
      account.used = 0
    }
    if (units.size > 0) {
      this.#openFlush = { process: this.#process, number: ++this.#flushes, units }
    }
  }

  async #writeOpenFlush(): Promise<void> {
    if (!this.#openFlush) {
      return
    }
    const totals = await this.#inTime(writeUnits(this.#db, this.#openFlush))
    for (const id of this.#openFlush.units.keys()) {
      const account = this.#account(id)
      account.flushing = 0
      // A deleted key has no total.
      account.stored = totals.get(id) ?? account.stored
    }
    this.#openFlush = undefined
  }

  #unwritten(): number {
    let units = 0
    for (const { flushing, used } of this.#accounts.values()) {
      units += flushing + used
    }
    return units
  }

  /** Runs tasks one at a time, so that each total that is read reflects a known set of flushes. */
  async #runExclusive<Result>(task: () => Promise<Result>): Promise<Result> {
    const result = this.#lastTask.then(task)
    this.#lastTask = result.catch(() => {})
    return await result
  }

  /** A flush that is repeated after it had no response counts once, also if the first attempt is written later. */
  async #inTime<Result>(query: Promise<Result>): Promise<Result> {
    return await queryInTime(query, this.#timeoutMs)
  }
}

/** @throws {unknown} unless it is the error of a statement: the codes of PostgreSQL begin with a digit. */
function throwUnlessRejected(error: unknown): void {
  if (!(error instanceof Error && 'code' in error && /^\d/.test(String(error.code)))) {
    throw error
  }
}
