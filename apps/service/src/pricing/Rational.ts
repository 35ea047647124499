/** An exact fraction, zero or above. The denominator is above zero; it need not be reduced. */
export interface Rational {
  readonly numerator: bigint
  readonly denominator: bigint
}

/** Above zero when `a` is the larger, below when `b` is, zero when they are equal. */
export function compareRationals(a: Rational, b: Rational): number {
  const difference = a.numerator * b.denominator - b.numerator * a.denominator
  return difference > 0n ? 1 : difference < 0n ? -1 : 0
}

/** The fraction times a whole number. */
export function timesWhole({ numerator, denominator }: Rational, factor: bigint): Rational {
  return { numerator: numerator * factor, denominator }
}
