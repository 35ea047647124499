import type { CollectibleTransferFact, PoolFact, SaleFact } from './Fact.ts'

/** What some blocks did to what a holder has of a token; amounts are what they changed by. */
export interface BalanceChange {
  readonly holder: string
  readonly token: string
  readonly standard: 20 | 721
  amount: bigint
  /** Block of the first transfer in. */
  firstIn: number | null
  /** First block with a transfer from the holder in a transaction that it sent itself. */
  initiated: number | null
}

/** What some blocks did to what a holder has of an NFT. */
export interface CollectibleChange {
  readonly holder: string
  readonly contract: string
  /** As 32 bytes of hex. */
  readonly tokenId: string
  amount: bigint
  /** Block of the newest transfer in. */
  lastIn: number | null
}

/** Where in the chain something was seen first. */
interface Seen {
  readonly block: number
}

/** A pool at the end of a block that changed it. */
export interface PoolState {
  readonly pool: string
  readonly block: number
  readonly reserve0: bigint
  readonly reserve1: bigint
  /** null for a V2 pool. */
  readonly sqrtPrice: bigint | null
}

/** What some blocks did to the liquidity of a range of a V3 pool. */
export interface PositionChange {
  readonly pool: string
  readonly tickLower: number
  readonly tickUpper: number
  liquidity: bigint
}

type Standard = 20 | CollectibleTransferFact['standard']

/**
 * What a run of blocks brings to the store, netted over the run. Maps in maps, by contract first, spare the making of
 * long keys: these are looked up for every log of a chain.
 */
export class Changes {
  /** By token, then holder. */
  readonly balances = {
    20: new Map<string, Map<string, BalanceChange>>(),
    721: new Map<string, Map<string, BalanceChange>>(),
  }
  /** By contract, then token id and holder. */
  readonly collectibleBalances = new Map<string, Map<string, CollectibleChange>>()
  /** By address. */
  readonly tokens = new Map<string, Seen & { readonly standard: Standard }>()
  /** By contract, then token id. */
  readonly collectibles = new Map<string, Map<string, Seen>>()
  readonly sales: (SaleFact & Seen & { readonly logIndex: number })[] = []
  readonly pools: (PoolFact & Seen)[] = []
  /** By block and pool. */
  readonly poolStates = new Map<string, PoolState>()
  /** By pool and ticks. */
  readonly positions = new Map<string, PositionChange>()
}

/** The entry of a key, made when it is not there. */
export function entry<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  let value = map.get(key)
  if (value === undefined) map.set(key, (value = make()))
  return value
}
