import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import type { Database } from '../store/Database.ts'
import { KeyReader } from './KeyReader.ts'
import { RateLimiter } from './RateLimiter.ts'
import { UnitMeter } from './UnitMeter.ts'

/** What one serving process knows of the keys that are used on it. */
export interface KeyAccess {
  readonly reader: KeyReader
  readonly limiter: RateLimiter
  readonly meter: UnitMeter
}

/** Begins to know. The meter is to be closed at the end. */
export function createKeyAccess(db: Kysely<Database>, logger: Logger): KeyAccess {
  const meter = new UnitMeter(db, logger)
  const reader = new KeyReader((hashes) => meter.loadKeys(hashes))
  return { reader, limiter: new RateLimiter(), meter }
}
