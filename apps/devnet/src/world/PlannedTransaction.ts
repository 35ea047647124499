import type { Address, Hex } from 'viem'

/** A transaction that the devnet is going to send, unsigned: anvil holds the keys. */
export interface PlannedTransaction {
  readonly from: Address
  /** Undefined where it deploys a contract. */
  readonly to: Address | undefined
  readonly data: Hex
  /** Wei. */
  readonly value: bigint
  /** The most gas it may use; said here because estimating it would run it twice. */
  readonly gas: number
}
