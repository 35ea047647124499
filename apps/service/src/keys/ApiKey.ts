import type { Rate } from './Rate.ts'

/** The purpose of keys for the operations of the API. */
export const dataPurpose = 'data'

/** An API key without its secret, of which only a hash is stored. */
export interface ApiKey {
  readonly id: number
  readonly name: string
  /** First characters of the secret, to distinguish keys. */
  readonly prefix: string
  /** What the key was issued for; the operations require `dataPurpose`. */
  readonly purpose: string
  readonly createdAt: Date
  readonly expiresAt: Date | undefined
  readonly revokedAt: Date | undefined
  /** Its rate limit; undefined for the configured default. */
  readonly rate: Rate | undefined
  /** Compute units that it may use in total; undefined for no limit. */
  readonly unitsQuota: number | undefined
  /** Compute units used, as stored: slightly behind the responses. */
  readonly unitsUsed: number
  /** When used units were last stored. */
  readonly usedAt: Date | undefined
}
