import type { World } from '../World.ts'
import type { DeployedVenuePool } from './DeployedVenues.ts'

/** The transactions of the ranger in the pools of one type. */
export interface VenueActions {
  /** Creates a pool with its depth on each side. */
  readonly open: (world: World, pool: DeployedVenuePool) => void
  /**
   * Sells an amount.
   *
   * @param sold - position of the sold token in the pool.
   */
  readonly swap: (
    world: World,
    pool: DeployedVenuePool,
    sold: number,
    bought: number,
    amount: bigint,
  ) => void
  /**
   * Adds a part of the depth, in thousandths, to each side.
   *
   * @param isRemoval - in pools with ranges, removes what was added before.
   */
  readonly provide: (
    world: World,
    pool: DeployedVenuePool,
    permille: bigint,
    isRemoval: boolean,
  ) => void
}
