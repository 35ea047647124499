import type { Address, Hex } from 'viem'

/** An unsigned transaction of the devnet; anvil has the keys. */
export interface PlannedTransaction {
  readonly from: Address
  /** Undefined for a deployment. */
  readonly to: Address | undefined
  readonly data: Hex
  /** Wei. */
  readonly value: bigint
  /** The gas limit; estimating it would execute the transaction twice. */
  readonly gas: number
}
