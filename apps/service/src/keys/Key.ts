import type { Rate } from './Rate.ts'

/** An API key as it may be shown: without the key itself, of which only a hash is kept. */
export interface Key {
  readonly id: number
  readonly name: string
  /** First characters of the key, to tell keys apart. */
  readonly prefix: string
  /** What it was issued for; the operations take `data`. */
  readonly purpose: string
  readonly createdAt: Date
  readonly expiresAt: Date | undefined
  readonly revokedAt: Date | undefined
  /** How fast it may ask; as configured for all where it has none of its own. */
  readonly rate: Rate | undefined
  /** Compute units that it may use in all; any number when undefined. */
  readonly unitsQuota: number | undefined
  /** Compute units that were written down as used: some moments behind what is answered. */
  readonly unitsUsed: number
  /** When use of it was last written down. */
  readonly usedAt: Date | undefined
}
