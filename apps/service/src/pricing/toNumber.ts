import type { Rational } from './Rational.ts'

/** Quotients have about this many bits: more than the 53 of a double, by which their remainder is rounded as well. */
const quotientBits = 60
/** Up to this shift, a quotient is at least the smallest normal double, 2 ** -1022. */
const normalShift = 1070
/** The smallest double is 2 ** -1074. Below the smallest normal one, all are multiples of it. */
const smallestExponent = 1074

/**
 * Converts an exact fraction to the nearest double. This is the only rounding of a price or a value.
 *
 * @returns a correctly rounded number (ties to even); `Infinity` above the largest double.
 */
export function toNumber({ numerator, denominator }: Rational): number {
  if (numerator === 0n) {
    return 0
  }
  const shift = quotientBits - (estimateBits(numerator) - estimateBits(denominator))
  if (shift > normalShift) {
    const units = roundedQuotient(numerator << BigInt(smallestExponent), denominator)
    if (units <= Number.MAX_SAFE_INTEGER) {
      return Number(units) * 2 ** -smallestExponent
    }
  }
  const above = shift >= 0 ? numerator << BigInt(shift) : numerator
  const below = shift >= 0 ? denominator : denominator << BigInt(-shift)
  const quotient = above / below
  const isExact = quotient * below === above
  // It has more bits than a double, of which the last one decides only where the others are a tie.
  return timesPowerOfTwo(Number(isExact ? quotient : quotient | 1n), -shift)
}

/** The quotient, ties to even. */
function roundedQuotient(above: bigint, below: bigint): bigint {
  const quotient = above / below
  const twiceRest = (above - quotient * below) * 2n
  const up = twiceRest > below || (twiceRest === below && quotient % 2n === 1n)
  return up ? quotient + 1n : quotient
}

/** In two steps, because 2 ** exponent itself may not be a double. */
function timesPowerOfTwo(value: number, exponent: number): number {
  const half = Math.trunc(exponent / 2)
  return value * 2 ** half * 2 ** (exponent - half)
}

/** The number of bits of a positive integer, or up to four more. */
function estimateBits(value: bigint): number {
  const double = Number(value)
  return Number.isFinite(double) ? Math.floor(Math.log2(double)) + 1 : 4 * value.toString(16).length
}
