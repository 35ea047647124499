/** An exact, non-negative fraction with a positive denominator, not necessarily reduced. */
export interface Rational {
  readonly numerator: bigint
  readonly denominator: bigint
}

export const zero: Rational = { numerator: 0n, denominator: 1n }

/** @returns a positive number if `a` is greater, a negative one if `b` is, 0 if they are equal. */
export function compareRationals(a: Rational, b: Rational): number {
  const difference = a.numerator * b.denominator - b.numerator * a.denominator
  return difference > 0n ? 1 : difference < 0n ? -1 : 0
}

/** @returns undefined without values. */
export function findHighest(values: readonly Rational[]): Rational | undefined {
  return values.reduce<Rational | undefined>(
    (highest, each) => (highest && compareRationals(highest, each) > 0 ? highest : each),
    undefined,
  )
}

/** The product of a fraction and an integer. */
export function multiply({ numerator, denominator }: Rational, factor: bigint): Rational {
  return { numerator: numerator * factor, denominator }
}

/** The product of two fractions. */
export function product(a: Rational, b: Rational): Rational {
  return {
    numerator: a.numerator * b.numerator,
    denominator: a.denominator * b.denominator,
  }
}

/** The sum of two fractions. */
export function add(a: Rational, b: Rational): Rational {
  return {
    numerator: a.numerator * b.denominator + b.numerator * a.denominator,
    denominator: a.denominator * b.denominator,
  }
}

/** Whether `a` is more than some percent above or below `b`. */
export function differsByPercent(a: Rational, b: Rational, percent: bigint): boolean {
  const first = a.numerator * b.denominator
  const second = b.numerator * a.denominator
  const difference = first > second ? first - second : second - first
  return difference * 100n > second * percent
}
