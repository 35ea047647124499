/** A value and how long it was in force, in seconds. */
export interface TimedValue<Value> {
  readonly value: Value
  readonly seconds: number
}

/**
 * The time-weighted median: the lowest value such that values up to it were in force for at least half of the time. Unlike
 * a mean, it is one of the values, and no value that was in force for less than half of the time moves it out of the others.
 *
 * @param compare - orders values.
 * @returns undefined where no value was in force for any time.
 */
export function timeWeightedMedian<Value>(
  values: readonly TimedValue<Value>[],
  compare: (a: Value, b: Value) => number,
): Value | undefined {
  const total = values.reduce((sum, { seconds }) => sum + seconds, 0)
  let sum = 0
  for (const { value, seconds } of values.toSorted((a, b) => compare(a.value, b.value))) {
    sum += seconds
    if (seconds > 0 && sum * 2 >= total) {
      return value
    }
  }
  return undefined
}
