/** A transfer of ERC20 tokens. Mints come from the zero address, burns go to it. */
export interface TransferEvent {
  readonly kind: 'transfer'
  readonly token: string
  readonly from: string
  readonly to: string
  readonly amount: bigint
}

/** A transfer of NFTs of one contract, with mints and burns as in `TransferEvent`. */
export interface CollectibleTransferEvent {
  readonly kind: 'collectible-transfer'
  readonly standard: 721 | 1155
  readonly contract: string
  readonly from: string
  readonly to: string
  /** May contain an id more than once. */
  readonly items: readonly CollectibleItem[]
}

/** An amount of one NFT. */
export interface CollectibleItem {
  /** 32 bytes of hex. */
  readonly tokenId: string
  readonly amount: bigint
}

/** A transfer of ERC721 tokens with consecutive ids, as ERC2309 specifies. */
export interface ConsecutiveTransferEvent {
  readonly kind: 'consecutive-transfer'
  readonly contract: string
  readonly from: string
  readonly to: string
  readonly firstId: bigint
  /** At least `firstId`; the range may be of any size. */
  readonly lastId: bigint
}

/**
 * `Deposit` or `Withdrawal` of a contract that is not the configured wrapped native asset. If it is a token, the amount of
 * the account may have changed.
 */
export interface DepositEvent {
  readonly kind: 'deposit'
  readonly token: string
  readonly account: string
}

/** The sale of one NFT. */
export interface SaleEvent {
  readonly kind: 'sale'
  readonly marketplace: string
  readonly contract: string
  /** 32 bytes of hex. */
  readonly tokenId: string
  /** What the buyer paid, in the smallest unit of the native asset. */
  readonly price: bigint
}

/** The creation of a pool by a factory. */
export interface PoolEvent {
  readonly kind: 'pool'
  readonly type: PoolType
  readonly address: string
  readonly factory: string
  readonly token0: string
  readonly token1: string
  /** Hundredths of a basis point; null where all pools of the factory have the same. */
  readonly fee: number | null
  readonly tickSpacing: number | null
}

/** Determines which events of a pool are applied. */
export type PoolType = 'uniswap-v2' | 'uniswap-v3'

/** The reserves of a V2 pool. Any contract can emit this and the two events below; only those of known pools are valid. */
interface ReservesEvent {
  readonly kind: 'reserves'
  readonly pool: string
  readonly reserve0: bigint
  readonly reserve1: bigint
}

/** The price of a V3 pool, after its initialization or a swap. */
interface PriceEvent {
  readonly kind: 'price'
  readonly pool: string
  /** `sqrtPriceX96`, within the bounds of a pool. */
  readonly sqrtPrice: bigint
}

/** A change of the liquidity in a range of a V3 pool. */
interface LiquidityEvent {
  readonly kind: 'liquidity'
  readonly pool: string
  readonly tickLower: number
  readonly tickUpper: number
  /** Negative for a withdrawal. */
  readonly change: bigint
}

/** An event that changes the state of a pool. */
export type PoolStateEvent = ReservesEvent | PriceEvent | LiquidityEvent

/** A decoded log. */
export type DecodedEvent =
  | TransferEvent
  | CollectibleTransferEvent
  | ConsecutiveTransferEvent
  | DepositEvent
  | SaleEvent
  | PoolEvent
  | PoolStateEvent
