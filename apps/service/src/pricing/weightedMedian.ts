/** A value and how much it counts, such as the seconds for which it was in force. */
export interface WeightedValue<Value> {
  readonly value: Value
  readonly weight: bigint
}

/**
 * The weighted median: the lowest value such that values up to it have at least half of the weight. Unlike a mean, it is one of
 * the values, and no value with less than half of the weight moves it out of the others.
 *
 * @param compare - orders values.
 * @returns undefined where no value has a weight.
 */
export function weightedMedian<Value>(
  values: readonly WeightedValue<Value>[],
  compare: (a: Value, b: Value) => number,
): Value | undefined {
  const total = values.reduce((sum, { weight }) => sum + weight, 0n)
  let sum = 0n
  for (const { value, weight } of values.toSorted((a, b) => compare(a.value, b.value))) {
    sum += weight
    if (weight > 0n && sum * 2n >= total) {
      return value
    }
  }
  return undefined
}
