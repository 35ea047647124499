import type { Logger } from 'pino'
import type { Store } from '../store/Store.ts'
import { KeyReader } from './KeyReader.ts'
import { RateLimiter } from './RateLimiter.ts'
import { UnitMeter } from './UnitMeter.ts'

/** The state of API keys in one process. */
export interface KeyAccess {
  readonly reader: KeyReader
  readonly limiter: RateLimiter
  readonly meter: UnitMeter
}

/** Creates the state of API keys of a store. The meter has to be closed, so that it writes the last units. */
export function createKeyAccess(
  { db, reader: readDb, replica }: Pick<Store, 'db' | 'reader' | 'replica'>,
  logger: Logger,
): KeyAccess {
  const meter = new UnitMeter(db, logger, replica && readDb)
  const reader = new KeyReader((hashes) => meter.loadKeys(hashes))
  return { reader, limiter: new RateLimiter(), meter }
}
