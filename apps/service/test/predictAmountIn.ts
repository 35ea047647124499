import type { Pool } from '../src/pricing/Pool.ts'
import { amountUnit, bisect } from './solveInvariants.ts'

/** The liquidity that a pool has between two ticks. */
export interface Position {
  readonly tickLower: number
  readonly tickUpper: number
  readonly liquidity: bigint
}

const million = 1_000_000n
/** Square roots of prices have more bits than in the contracts. */
const sqrtBits = 128n
const q96 = 2n ** 96n
const q224 = q96 << sqrtBits

/**
 * Predicts what has to be sold to a pool to receive an amount, from its indexed state alone: the curve of each type, solved
 * independently of the service and of the rounding of the contracts.
 *
 * @param out - times `amountUnit`, as the result.
 * @param fee - in millionths of what is sold.
 */
export function predictAmountIn(
  pool: Pool,
  positions: readonly Position[],
  zeroForOne: boolean,
  out: bigint,
  fee: bigint,
): bigint {
  const [x, y] = orderReserves(pool, zeroForOne)
  const withoutFee =
    pool.sqrtPrice !== undefined
      ? crossRanges(pool.sqrtPrice, positions, zeroForOne, out)
      : pool.kind === 'solidly-stable'
        ? solveStable(pool, zeroForOne, out)
        : (x * out) / (y - out)
  return (withoutFee * million) / (million - fee)
}

/** The reserves of what is sold and of what is bought, times `amountUnit`. */
function orderReserves({ reserve0, reserve1 }: Pool, zeroForOne: boolean): [bigint, bigint] {
  const [x, y] = zeroForOne ? [reserve0, reserve1] : [reserve1, reserve0]
  return [x * amountUnit, y * amountUnit]
}

/** Solves x³y + xy³ = k for the new x. */
function solveStable(pool: Pool, zeroForOne: boolean, out: bigint): bigint {
  const unit0 = 10n ** BigInt(pool.decimals0 ?? 0)
  const unit1 = 10n ** BigInt(pool.decimals1 ?? 0)
  const [x, y] = orderReserves(pool, zeroForOne)
  const [unitX, unitY] = zeroForOne ? [unit0, unit1] : [unit1, unit0]
  const curve = (a: bigint, b: bigint) => {
    const wide = a * unitY
    const high = b * unitX
    return wide * high * (wide * wide + high * high)
  }
  const k = curve(x, y)
  const guess = x + (y * unitX) / unitY
  return bisect(guess, (value) => curve(value, y - out) >= k) - x
}

/** Sums what each range between two ticks takes, in the direction of the swap. */
function crossRanges(
  sqrtPrice: bigint,
  positions: readonly Position[],
  zeroForOne: boolean,
  out: bigint,
): bigint {
  const start = sqrtPrice << sqrtBits
  const ranges = positions.map(({ tickLower, tickUpper, liquidity }) => ({
    lower: toSqrtPrice(tickLower) << sqrtBits,
    upper: toSqrtPrice(tickUpper) << sqrtBits,
    liquidity: liquidity * amountUnit,
  }))
  const bounds = [...new Set(ranges.flatMap(({ lower, upper }) => [lower, upper]))]
    .filter((bound) => (zeroForOne ? bound < start : bound > start))
    .sort((a, b) => (a < b === zeroForOne ? 1 : -1))
  let price = start
  let left = out
  let amountIn = 0n
  for (const bound of bounds) {
    const [low, high] = zeroForOne ? [bound, price] : [price, bound]
    const liquidity = ranges
      .filter(({ lower, upper }) => lower <= low && high <= upper)
      .reduce((sum, each) => sum + each.liquidity, 0n)
    const available = zeroForOne
      ? (liquidity * (high - low)) / q224
      : (liquidity * q224 * (high - low)) / (high * low)
    const taken = left < available ? left : available
    const end =
      taken === available
        ? bound
        : zeroForOne
          ? price - (taken * q224) / liquidity
          : (liquidity * q224 * price) / (liquidity * q224 - taken * price)
    const [from, to] = zeroForOne ? [end, price] : [price, end]
    amountIn += zeroForOne
      ? (liquidity * q224 * (to - from)) / (to * from)
      : (liquidity * (to - from)) / q224
    left -= taken
    price = end
    if (left === 0n) {
      return amountIn
    }
  }
  throw new Error('The pool cannot pay the amount')
}

/**
 * How far the contract's quote of a pool whose state is in events may be from its curve, in smallest units of what is bought,
 * beside the rounding of what is sold to an integer.
 *
 * - Uniswap V2 and Solidly's volatile pools round once.
 * - Solidly's stable pools find the lowest balance in units of 10⁻¹⁸ tokens that keeps `k`, which is rounded itself, and round
 *   that.
 * - Those with ranges round the square root of a price to 2⁻⁹⁶, and amounts to integers, in each range (`SwapMath` and
 *   `SqrtPriceMath` of Uniswap V3). The square root at a tick is rounded likewise.
 */
export function boundRounding(
  pool: Pool,
  positions: readonly Position[],
  zeroForOne: boolean,
): bigint {
  const { sqrtPrice } = pool
  if (sqrtPrice !== undefined) {
    const liquidity = positions.reduce((sum, each) => sum + each.liquidity, 0n)
    const ofPrice = zeroForOne ? liquidity / q96 : (liquidity * q96) / sqrtPrice ** 2n
    const bounds = new Set(positions.flatMap(({ tickLower, tickUpper }) => [tickLower, tickUpper]))
    return BigInt(bounds.size) * (2n + 2n * (ofPrice + 1n))
  }
  if (pool.kind !== 'solidly-stable') {
    return 1n
  }
  const unitOut = 10n ** BigInt((zeroForOne ? pool.decimals1 : pool.decimals0) ?? 0)
  return 1n + (2n * unitOut) / 10n ** 18n
}

const sqrtPrices = new Map<number, bigint>()

/** sqrt(1.0001 ** tick) * 2 ** 96, by integer square roots instead of the table of the contracts. */
function toSqrtPrice(tick: number): bigint {
  const known = sqrtPrices.get(tick)
  if (known !== undefined) {
    return known
  }
  const numerator = power(10_001n, Math.abs(tick))
  const denominator = power(10_000n, Math.abs(tick))
  const [above, below] = tick >= 0 ? [numerator, denominator] : [denominator, numerator]
  const quotient = (above.mantissa << 400n) / below.mantissa
  const sqrtPrice = squareRoot(quotient, above.exponent - below.exponent)
  sqrtPrices.set(tick, sqrtPrice)
  return sqrtPrice
}

interface Scaled {
  /** Of at most 256 bits. */
  readonly mantissa: bigint
  readonly exponent: number
}

function power(base: bigint, exponent: number): Scaled {
  let result: Scaled = { mantissa: 1n, exponent: 0 }
  let square: Scaled = { mantissa: base, exponent: 0 }
  for (let rest = exponent; rest > 0; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) {
      result = multiply(result, square)
    }
    square = multiply(square, square)
  }
  return result
}

function multiply(a: Scaled, b: Scaled): Scaled {
  const product = a.mantissa * b.mantissa
  const excess = Math.max(0, product.toString(2).length - 256)
  return { mantissa: product >> BigInt(excess), exponent: a.exponent + b.exponent + excess }
}

/** The square root of value * 2 ** (exponent - 400), times 2 ** 96. */
function squareRoot(value: bigint, exponent: number): bigint {
  const shift = exponent - 400 + 192
  const radicand = shift >= 0 ? value << BigInt(shift) : value >> BigInt(-shift)
  let root = 1n << BigInt(Math.ceil(radicand.toString(2).length / 2))
  for (;;) {
    const better = (root + radicand / root) >> 1n
    if (better >= root) {
      return root
    }
    root = better
  }
}
