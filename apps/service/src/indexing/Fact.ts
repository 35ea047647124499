/** ERC20 tokens moved. Creation comes from the zero address, destruction goes to it. */
export interface TransferFact {
  readonly kind: 'transfer'
  readonly token: string
  readonly from: string
  readonly to: string
  readonly amount: bigint
}

/** NFTs of one contract moved, as `TransferFact`. */
export interface CollectibleTransferFact {
  readonly kind: 'collectible-transfer'
  readonly standard: 721 | 1155
  readonly contract: string
  readonly from: string
  readonly to: string
  /** An id may be there more than once. */
  readonly items: readonly CollectibleItem[]
}

/** Some of one NFT. */
export interface CollectibleItem {
  /** As 32 bytes of hex. */
  readonly tokenId: string
  readonly amount: bigint
}

/** One NFT was sold. */
export interface SaleFact {
  readonly kind: 'sale'
  readonly contract: string
  /** As 32 bytes of hex. */
  readonly tokenId: string
  /** What the buyer paid, in the smallest unit of the native asset. */
  readonly price: bigint
}

/** A factory made a pool. */
export interface PoolFact {
  readonly kind: 'pool'
  readonly type: PoolType
  readonly address: string
  readonly factory: string
  readonly token0: string
  readonly token1: string
  /** Hundredths of a basis point; null where the factory's pools all have one. */
  readonly fee: number | null
  readonly tickSpacing: number | null
}

/** Which events of a pool count. */
export type PoolType = 'uniswap-v2' | 'uniswap-v3'

/** A contract tells the reserves of a V2 pool; only of known pools is it true, as with the two facts below. */
interface ReservesFact {
  readonly kind: 'reserves'
  readonly pool: string
  readonly reserve0: bigint
  readonly reserve1: bigint
}

/** A V3 pool's price was set, or moved by a swap. */
interface PriceFact {
  readonly kind: 'price'
  readonly pool: string
  /** `sqrtPriceX96`, within what a pool can have. */
  readonly sqrtPrice: bigint
}

/** Liquidity came to a range of a V3 pool or left it. */
interface LiquidityFact {
  readonly kind: 'liquidity'
  readonly pool: string
  readonly tickLower: number
  readonly tickUpper: number
  /** Negative when it left. */
  readonly change: bigint
}

/** What is told of pools. */
export type PoolStateFact = ReservesFact | PriceFact | LiquidityFact

/** What a log means to the service. */
export type Fact = TransferFact | CollectibleTransferFact | SaleFact | PoolFact | PoolStateFact
