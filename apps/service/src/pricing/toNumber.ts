import type { Rational } from './Rational.ts'

/** Bits of a double's significand. */
const precision = 53
/** The smallest double is 2 ** -1074. */
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
  // Scaled by 2 ** shift, the quotient has the precision of a double.
  let shift = precision - (bitLength(numerator) - bitLength(denominator))
  let quotient = roundedQuotient(numerator, denominator, Math.min(shift, smallestExponent))
  if (bitLength(quotient) > precision) {
    // The estimate was one bit too long. Rounding the rounded result again could be incorrect.
    shift -= 1
    quotient = roundedQuotient(numerator, denominator, Math.min(shift, smallestExponent))
  }
  return timesPowerOfTwo(Number(quotient), -Math.min(shift, smallestExponent))
}

function roundedQuotient(numerator: bigint, denominator: bigint, shift: number): bigint {
  const above = shift >= 0 ? numerator << BigInt(shift) : numerator
  const below = shift >= 0 ? denominator : denominator << BigInt(-shift)
  const quotient = above / below
  const twiceRest = (above % below) * 2n
  const up = twiceRest > below || (twiceRest === below && quotient % 2n === 1n)
  return up ? quotient + 1n : quotient
}

/** In two steps, because 2 ** exponent itself may be less than the smallest double. */
function timesPowerOfTwo(value: number, exponent: number): number {
  const half = Math.trunc(exponent / 2)
  return value * 2 ** half * 2 ** (exponent - half)
}

function bitLength(value: bigint): number {
  const hex = value.toString(16)
  return (hex.length - 1) * 4 + (32 - Math.clz32(parseInt(hex[0] ?? '0', 16)))
}
