import type { PoolEvent, PoolRegistration, PoolStateEvent } from '../../pricing/venues/Venue.ts'
import type { Log } from '../../rpc/methods/Log.ts'

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

/** A registration that no node has the state to read. */
export interface UnreadPoolEvent {
  readonly kind: 'unread-pool'
  readonly registration: Log
}

/** An earlier registration, whose position it has, was read at last. */
export interface RetriedPoolEvent extends Pick<Log, 'blockNumber' | 'logIndex'> {
  readonly kind: 'retried-pool'
}

/** A decoded log. */
export type DecodedEvent =
  | TransferEvent
  | CollectibleTransferEvent
  | ConsecutiveTransferEvent
  | DepositEvent
  | SaleEvent
  | PoolEvent
  | PoolRegistration
  | PoolStateEvent
  | UnreadPoolEvent
  | RetriedPoolEvent
