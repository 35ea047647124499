/** Tokens moved. Creation comes from the zero address, destruction goes to it. */
interface TransferFact {
  readonly kind: 'transfer'
  readonly token: string
  readonly from: string
  readonly to: string
  readonly amount: bigint
}

/** A factory made a pool. */
export interface PoolFact {
  readonly kind: 'pool'
  readonly address: string
  readonly factory: string
  readonly token0: string
  readonly token1: string
}

/** A contract tells the reserves of a pool; only of known pools is it true. */
interface ReservesFact {
  readonly kind: 'reserves'
  readonly pool: string
  readonly reserve0: bigint
  readonly reserve1: bigint
}

/** What a log means to the service. */
export type Fact = TransferFact | PoolFact | ReservesFact
