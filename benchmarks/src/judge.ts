import { rounded } from './printFigure.ts'

/** What one contender took: numbers by name, such as `cpuMs`. */
export type Measured = Readonly<Record<string, number>>

/** A number that is to be at most so many times another one, or at most so much. */
export interface Reach {
  readonly of: readonly [contender: string, number: string]
  readonly atMost: number
  readonly times?: readonly [contender: string, number: string]
}

/** What each contender took, and of what is to be reached what was. */
export function judge(
  results: Readonly<Record<string, Measured>>,
  reach: readonly Reach[],
): Readonly<Record<string, unknown>> {
  return {
    ...mapValues(results, (measured) => mapValues(measured, rounded)),
    reach: reach.map((each) => judgeOne(each, results)).filter((each) => each !== undefined),
  }
}

function judgeOne({ of, atMost, times }: Reach, results: Readonly<Record<string, Measured>>) {
  const value = results[of[0]]?.[of[1]]
  const unit = times === undefined ? 1 : results[times[0]]?.[times[1]]
  if (value === undefined || unit === undefined) {
    return undefined
  }
  const what = `${of.join(' ')} at most ${atMost}${times ? ` times ${times.join(' ')}` : ''}`
  return { what, is: rounded(value / unit), reached: value <= atMost * unit }
}

/** The same record with other values. */
export function mapValues<Name extends string, T, R>(
  record: Readonly<Record<Name, T>>,
  map: (value: T, name: Name) => R,
): Record<Name, R> {
  const entries = Object.entries(record) as [Name, T][]
  return Object.fromEntries(entries.map(([name, value]) => [name, map(value, name)])) as Record<
    Name,
    R
  >
}
