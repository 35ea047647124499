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
}
