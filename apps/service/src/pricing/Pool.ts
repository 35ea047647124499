/** A constant-product pool and what it holds at some block. Addresses are lower case, reserves in smallest units. */
export interface Pool {
  readonly address: string
  readonly token0: string
  readonly token1: string
  readonly reserve0: bigint
  readonly reserve1: bigint
}
