import { getSqrtRatioAtTick, getTickAtSqrtRatio, maxTick, minTick } from './TickMath.ts'

/** A range of ticks: its liquidity is in range while `sqrt(lower) <= sqrtPrice < sqrt(upper)`. */
export interface TickRange {
  readonly tickLower: number
  readonly tickUpper: number
}

/** What the amounts of positions in range at any price are computed from, each summed over the positions. */
interface Sums {
  liquidity: bigint
  /** Liquidity times the square root of the lowest price, times 2 ** 96. */
  byLower: bigint
  /** Liquidity divided by the square root of the highest price, times 2 ** 160. */
  byUpper: bigint
}

const zero: Sums = { liquidity: 0n, byLower: 0n, byUpper: 0n }
const lowestSqrtPrice = getSqrtRatioAtTick(minTick)
const q256 = 1n << 256n

/**
 * The liquidity of a Uniswap V3 pool by tick, from which the reserves in range follow. As in the pool itself, a tick has the
 * change of what is in range when the price rises across it, so that a new price costs the ticks between it and the last one,
 * however many positions the pool has.
 */
export class ConcentratedLiquidity {
  readonly #changes = new Map<number, Sums>()
  /** Of the last price; below all ticks before the first one. */
  #tick = minTick - 1
  readonly #inRange = { ...zero }
  /** The ticks with changes, in ascending order; undefined before the first price, as the ranges of a pool are added one by one. */
  #ticks: number[] | undefined

  /** How many ticks it consists of. */
  get size(): number {
    return this.#changes.size
  }

  /**
   * Adds liquidity to a range, or removes it. Invalid ranges, as a faulty fork might emit, are ignored.
   *
   * @param change - negative for liquidity that is removed.
   */
  add({ tickLower, tickUpper }: TickRange, change: bigint): void {
    const isValid = minTick <= tickLower && tickLower < tickUpper && tickUpper <= maxTick
    if (!isValid || change === 0n) {
      return
    }
    const sums = {
      liquidity: change,
      byLower: change * getSqrtRatioAtTick(tickLower),
      byUpper: change * (q256 / getSqrtRatioAtTick(tickUpper)),
    }
    this.#change(tickLower, sums, 1n)
    this.#change(tickUpper, sums, -1n)
    if (tickLower <= this.#tick && this.#tick < tickUpper) {
      add(this.#inRange, sums, 1n)
    }
  }

  /**
   * The amounts of each token in the positions in range, in smallest units, rounded down. Positions out of range hold only one
   * token and are not part of the current liquidity, so that they do not count.
   *
   * @param sqrtPrice - the pool's `sqrtPriceX96`; 0 for a pool that was not initialized. There is nothing in range of invalid
   *   prices, as a faulty fork might emit.
   */
  getReserves(sqrtPrice: bigint): { reserve0: bigint; reserve1: bigint } {
    if (sqrtPrice < lowestSqrtPrice) {
      return { reserve0: 0n, reserve1: 0n }
    }
    this.#moveTo(getTickAtSqrtRatio(sqrtPrice))
    const { liquidity, byLower, byUpper } = this.#inRange
    return {
      reserve0: ((liquidity << 256n) / sqrtPrice - byUpper) >> 160n,
      reserve1: (liquidity * sqrtPrice - byLower) >> 96n,
    }
  }

  #change(tick: number, sums: Sums, sign: 1n | -1n): void {
    const known = this.#changes.get(tick)
    const changes = known ?? { ...zero }
    add(changes, sums, sign)
    if (!known) {
      this.#changes.set(tick, changes)
      this.#ticks?.splice(countUpTo(this.#ticks, tick), 0, tick)
    } else if (changes.liquidity === 0n && changes.byLower === 0n && changes.byUpper === 0n) {
      this.#changes.delete(tick)
      this.#ticks?.splice(countUpTo(this.#ticks, tick) - 1, 1)
    }
  }

  /** Crosses the ticks between the last price and another one. */
  #moveTo(tick: number): void {
    const ticks = (this.#ticks ??= [...Int32Array.from(this.#changes.keys()).sort()])
    let next = countUpTo(ticks, this.#tick)
    while (next < ticks.length && ticks[next]! <= tick) {
      this.#cross(ticks[next++]!, 1n)
    }
    while (next > 0 && ticks[next - 1]! > tick) {
      this.#cross(ticks[--next]!, -1n)
    }
    this.#tick = tick
  }

  #cross(tick: number, sign: 1n | -1n): void {
    add(this.#inRange, this.#changes.get(tick) ?? zero, sign)
  }
}

function add(sums: Sums, change: Sums, sign: 1n | -1n): void {
  sums.liquidity += sign * change.liquidity
  sums.byLower += sign * change.byLower
  sums.byUpper += sign * change.byUpper
}

/** How many of the sorted ticks are at most this one. */
function countUpTo(ticks: readonly number[], tick: number): number {
  let low = 0
  let high = ticks.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (ticks[middle]! <= tick) {
      low = middle + 1
    } else {
      high = middle
    }
  }
  return low
}
