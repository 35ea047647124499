/** A block by its number and hash: the number alone names different blocks as the chain reorganises. */
export interface BlockRef {
  readonly number: number
  /** `0x` and 64 lower-case hex digits. */
  readonly hash: string
}

/** What is kept of a block. */
export interface BlockHeader extends BlockRef {
  readonly parentHash: string
  /** Unix seconds. */
  readonly time: number
  /** Bloom filter of its logs, 256 bytes of hex; undefined where the node tells none. */
  readonly logsBloom: string | undefined
  /** How many transactions it has, and so how many receipts. */
  readonly transactionCount: number
}
