import type { Call } from '../../rpc/methods/Call.ts'
import type { Log } from '../../rpc/methods/Log.ts'
import type { Pool, PoolBalances, PoolState, PoolType } from '../Pool.ts'
import type { PoolSample } from '../PoolHistory.ts'
import type { Rational } from '../Rational.ts'

/**
 * The highest fee of a pool with a price, where anyone can create one with any: arbitrage corrects a wrong price up to the fee
 * only, which must not leave it further off than the pools of a token may differ.
 */
export const maxFeePercent = 1n
/** The same in hundredths of a basis point, as pools of Uniswap have it. */
export const maxFee = Number(maxFeePercent) * 10_000

/** The creation of a pool by a factory. */
export interface PoolEvent {
  readonly kind: 'pool'
  readonly type: PoolType
  /** The contract; of a pool in a singleton, its id of 32 bytes. */
  readonly address: string
  readonly factory: string
  /** The contract that emits its events, where it is neither the pool nor a factory. The same events of others are ignored. */
  readonly emitter?: string
  /** At least two, all different, in the order of the reserves. */
  readonly tokens: readonly string[]
  /** Hundredths of a basis point; null where it is not constant, or the same for all pools of the factory. */
  readonly fee: number | null
  readonly tickSpacing: number | null
  /** The first `sqrtPriceX96`, where the same event sets it. */
  readonly sqrtPrice?: bigint
}

/** Executes calls at one block. @returns the data of each as hex; `0x` for one that reverted. */
export type CallContracts = (calls: readonly Call[]) => Promise<readonly string[]>

/** The creation of a pool whose tokens are in no event: they are read at its block. */
export interface PoolRegistration {
  readonly kind: 'registration'
  /** The contract, where the event has it. Further registrations of it are events of the pool. */
  readonly pool?: string
  readonly factory: string
  /**
   * @param later - how many registrations of the factory follow in the block.
   * @returns undefined for a pool that is not indexed.
   */
  readonly read: (call: CallContracts, later: number) => Promise<PoolEvent | undefined>
  /**
   * Reads it at a later block, where no node had the state of its own, if `read` cannot.
   *
   * @returns all pools that the event may stand for, known ones included.
   */
  readonly readLater?: (call: CallContracts) => Promise<readonly PoolEvent[]>
}

/** An event of a pool whose state is read. */
interface TouchEvent {
  readonly kind: 'touch'
  readonly pool: string
  /** The contract that emitted it, where that is not the pool. */
  readonly emitter?: string
}

/** The reserves of a pool. Any contract can emit this and the other events of states; only those of known pools are valid. */
interface ReservesEvent {
  readonly kind: 'reserves'
  readonly pool: string
  readonly reserve0: bigint
  readonly reserve1: bigint
}

/** The price of a pool with concentrated liquidity, after its initialization or a swap. */
interface PriceEvent {
  readonly kind: 'price'
  readonly pool: string
  /** `sqrtPriceX96`, within the bounds of a pool. */
  readonly sqrtPrice: bigint
}

/** A change of the liquidity in a range of ticks. */
interface LiquidityEvent {
  readonly kind: 'liquidity'
  readonly pool: string
  readonly tickLower: number
  readonly tickUpper: number
  /** Negative for a withdrawal. */
  readonly change: bigint
}

/** An event of a pool with its state, or a part of it. */
export type LoggedState = ReservesEvent | PriceEvent | LiquidityEvent

/** An event that changes the state of a pool. */
export type PoolStateEvent = LoggedState | TouchEvent

/** Calls at one block, and what their results mean. */
export interface Read<Result> {
  readonly calls: readonly Call[]
  /**
   * @param results - data of each call, as hex; `0x` for one that reverted.
   * @returns undefined where a result is missing or malformed.
   */
  readonly decode: (results: readonly string[]) => Result | undefined
}

/** A state that calls returned. */
export interface ReadPoolState extends PoolState {
  /** What the pool recorded of the window. */
  readonly samples?: readonly PoolSample[]
}

/** What has to be known of a pool to read its state by calls. */
export type PoolReference = Pick<
  PoolEvent,
  'type' | 'address' | 'factory' | 'tokens' | 'fee' | 'tickSpacing'
>

/** The block of a read, and the setting of what is read. */
export interface ReadPoint {
  /** Unix seconds of the block. */
  readonly time: number
  /** Of a price feed. */
  readonly heartbeatSeconds?: number | undefined
}

/** How the pools of one type are stored, priced and read. */
export interface PoolModel {
  /**
   * Where the state is: in events of reserves, in those of a price and of the liquidity in ranges, or in the contract, from
   * which it is read (`readBalances`) at each block with an event of the pool.
   */
  readonly state: 'reserves' | 'concentrated' | 'balances'
  /** The contract of a pool is an ERC20 token of its shares. Positions in ranges have owners that no log of a pool names. */
  readonly hasShares?: true
  /**
   * The spot price without fees: smallest units of token 1 per smallest unit of token 0, exact.
   *
   * @returns undefined for a pool without a price, such as one with an empty side.
   */
  readonly getSpotPrice: (pool: Pool) => Rational | undefined
  /**
   * Reads the state by calls, where they return it. Reserves of concentrated liquidity are bounds from above, because no call
   * returns the positions: the liquidity in range, as if its range had no end, limited by the pool's balances.
   *
   * @param windowSeconds - the window before the block; 0 for none.
   */
  readonly readState?: (pool: PoolReference, windowSeconds: number) => Read<ReadPoolState>
  /**
   * Reads the state of a pool of any number of tokens.
   *
   * @returns undefined for a pool without a price that anyone can trade at, such as a paused one.
   */
  readonly readBalances?: (
    pool: Pick<PoolReference, 'address' | 'factory' | 'tokens'>,
    call: CallContracts,
    at: ReadPoint,
  ) => Promise<PoolBalances | undefined>
}

/** Where tokens are traded: the factories of one protocol and its forks, and the pools that they create. */
export interface Venue {
  /** A function without parameters that each factory has, by which it is recognized. */
  readonly factoryFunction: string
  /** Further functions of each factory, where contracts of other protocols have `factoryFunction` as well. */
  readonly furtherFunctions?: readonly string[]
  /** Functions that no factory has, where contracts of other protocols have all of the above as well. */
  readonly foreignFunctions?: readonly string[]
  /**
   * Its factory emits the events of the pools, which are in its own storage, with the id of a pool as second topic. A chain
   * has at most one, as another could have the same ids.
   */
  readonly isSingleton?: true
  /**
   * Decoders of a factory's events that create pools, by first topic. They never throw, and return undefined for pools
   * that are not indexed.
   *
   * @param wrappedNative - what stands for the native asset in a pool.
   */
  readonly creations: Readonly<
    Record<
      string,
      (log: Log, wrappedNative: string | undefined) => PoolEvent | PoolRegistration | undefined
    >
  >
  /** Decoders of the events that change the state of a pool, by first topic. They never throw. */
  readonly changes: Readonly<Record<string, (log: Log) => PoolStateEvent | undefined>>
  /** By type of its pools. */
  readonly models: Readonly<Partial<Record<PoolType, PoolModel>>>
  /** Finds the pools of two tokens by calls to a factory: one read per pool that may exist. */
  readonly findPools: (
    factory: string,
    tokens: readonly [string, string],
  ) => readonly Read<PoolReference>[]
}
