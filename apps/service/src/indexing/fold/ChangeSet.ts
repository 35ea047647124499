import type { PoolBalances } from '../../pricing/Pool.ts'
import type { PoolEvent } from '../../pricing/venues/Venue.ts'
import type { Log } from '../../rpc/methods/Log.ts'
import type { CollectibleTransferEvent, SaleEvent } from '../decode/DecodedEvent.ts'

/** The change of a holder's balance of a token; the amount is the difference. */
export interface BalanceChange {
  readonly holder: string
  readonly token: string
  readonly standard: 20 | 721
  amount: bigint
  /** Block of the first transfer in. */
  firstIn: number | null
  /** First block with a transfer from the holder, in a transaction of the holder. */
  initiated: number | null
}

/** The change of a holder's balance of an NFT; the amount is the difference. */
export interface CollectibleChange {
  readonly holder: string
  readonly contract: string
  /** 32 bytes of hex. */
  readonly tokenId: string
  amount: bigint
  /** Block of the latest transfer in. */
  lastIn: number | null
}

/** The change of the owner of an ERC721 token. */
interface OwnerChange {
  /** The owner after the last transfer; the zero address for none. */
  owner: string
  /**
   * The owner before the first transfer, which loses the token whatever the log's sender is; undefined until it is read
   * from the store.
   */
  previous?: string
}

interface FirstSeen {
  readonly block: number
}

/** A contract in events of a token, or in a pool. */
export interface FoundToken extends FirstSeen {
  /** Of its first event; 20 where that is a pool. */
  readonly standard: Standard
  /** The `eventBits` of its events; 0 where only pools name it. */
  events: number
}

/** A pool at the end of a block that changed it. */
export interface PoolState {
  readonly pool: string
  readonly block: number
  readonly reserve0: bigint
  readonly reserve1: bigint
  /** null without concentrated liquidity. */
  readonly sqrtPrice: bigint | null
  /** Of a pool whose state is read; its reserves are those of the first two tokens. */
  readonly read?: PoolBalances
  /** The lowest balances of the states before it in its period, which it replaces; absent for none. */
  readonly lows?: readonly bigint[]
}

/** An event that was not applied. */
export interface SkippedEvent {
  readonly contract: string
  readonly block: number
  readonly logIndex: number
  readonly reason: string
}

/** The change of the liquidity in a range of a pool. */
export interface PositionChange {
  readonly pool: string
  readonly tickLower: number
  readonly tickUpper: number
  liquidity: bigint
}

type Standard = 20 | CollectibleTransferEvent['standard']

/**
 * The rows that one or more blocks change, with the net change of each. Nested maps, by contract first, avoid the
 * concatenation of long keys for every log of a chain.
 */
export class ChangeSet {
  /** By token, then holder. */
  readonly balances = {
    20: new Map<string, Map<string, BalanceChange>>(),
    721: new Map<string, Map<string, BalanceChange>>(),
  }
  /** By contract, then token id and holder. */
  readonly collectibleBalances = new Map<string, Map<string, CollectibleChange>>()
  /** By contract, then token id; of ERC721 only. */
  readonly owners = new Map<string, Map<string, OwnerChange>>()
  /** By address. */
  readonly tokens = new Map<string, FoundToken>()
  /** By contract, then token id. */
  readonly collectibles = new Map<string, Map<string, FirstSeen>>()
  readonly sales: (SaleEvent & { readonly block: number; readonly logIndex: number })[] = []
  readonly skipped: SkippedEvent[] = []
  readonly pools: (PoolEvent & FirstSeen)[] = []
  /** Registrations that could not be read. */
  readonly unreadPools: Log[] = []
  /** Earlier registrations that were read at last, and at which block. */
  readonly retriedPools: (Pick<Log, 'blockNumber' | 'logIndex'> & {
    readonly readBlock: number
  })[] = []
  /** By period and pool. */
  readonly poolStates = new Map<string, PoolState>()
  /** By pool and ticks. */
  readonly positions = new Map<string, PositionChange>()

  /** The number of rows that are written, which the memory and the time to write them are proportional to. */
  get rowCount(): number {
    const { balances, collectibleBalances, owners, tokens, collectibles, poolStates } = this
    let count = tokens.size + poolStates.size + this.positions.size
    for (const list of [
      this.sales,
      this.skipped,
      this.pools,
      this.unreadPools,
      this.retriedPools,
    ]) {
      count += list.length
    }
    const nested = [balances[20], balances[721], collectibleBalances, owners, collectibles]
    for (const byContract of nested) {
      for (const rows of byContract.values()) {
        count += rows.size
      }
    }
    return count
  }
}

/** Adds the state of a pool, in place of an earlier one in the same period. */
export function setPoolState({ poolStates }: ChangeSet, period: string, state: PoolState): void {
  const key = period + state.pool
  const replaced = poolStates.get(key)
  const lows = replaced && findLows(replaced, state.block)
  poolStates.set(key, lows ? { ...state, lows } : state)
}

/** @param block - of the state that replaces it: nothing sees a state that is replaced within its block. */
function findLows(replaced: PoolState, block: number): readonly bigint[] | undefined {
  const { lows, read, reserve0, reserve1 } = replaced
  const balances = read?.balances ?? [reserve0, reserve1]
  return replaced.block === block
    ? lows
    : balances.map((balance, index) => {
        const low = lows?.[index] ?? balance
        return low < balance ? low : balance
      })
}

/** Gets the value of a key, and creates it where it is missing. */
export function getOrCreate<Key, Value>(
  map: Map<Key, Value>,
  key: Key,
  create: () => Value,
): Value {
  let value = map.get(key)
  if (value === undefined) {
    map.set(key, (value = create()))
  }
  return value
}
