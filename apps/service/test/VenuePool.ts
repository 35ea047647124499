import type { Address, Hex } from 'viem'
import type { SeededRandom } from '@headwater/devnet'
import type { PoolType } from '../src/pricing/Pool.ts'
import type { FactoryOption } from '../src/pricing/venues/venues.ts'

/** A pool on a node, with the contract's own quotes. */
export interface VenuePool {
  readonly type: PoolType
  readonly option: FactoryOption
  readonly factory: Address
  /** Address or id. */
  readonly pool: Hex
  readonly tokens: readonly [Address, Address]
  readonly decimals: readonly [number, number]
  /** The fee in millionths. */
  readonly getFee: () => Promise<bigint>
  /** Changes the state at random, in one block or more. */
  readonly change: (random: SeededRandom) => Promise<void>
  /** What the contract pays for an amount: a call of a swap or of its quote. */
  readonly sell: (zeroForOne: boolean, amountIn: bigint) => Promise<bigint>
  /** The positions of the tokens in a pool of several; default: the first two. */
  readonly indexes?: readonly [number, number]
  /** Reads the curve from its parameters in the contract, for types whose state does not have them. */
  readonly readCurve?: (zeroForOne: boolean) => Promise<Curve>
}

/** What a pool pays for an amount, in one direction. */
export interface Curve {
  /** Solves what has to be sold to receive an amount, both times `amountUnit`. */
  readonly solve: (out: bigint) => bigint
  /**
   * How far the contract's quote may be from the solution, in smallest units of what is bought, beside the rounding of what is
   * sold to an integer.
   */
  readonly rounding: bigint
}
