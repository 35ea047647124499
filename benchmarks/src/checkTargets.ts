import { rounded } from './printFigure.ts'

/** The measurements of a contender by name, such as `cpuMs`. */
export type Measured = Readonly<Record<string, number>>

/** A target: a measurement is at most a value, or at most a multiple of another measurement. */
export interface Reach {
  readonly of: readonly [contender: string, number: string]
  readonly atMost: number
  readonly times?: readonly [contender: string, number: string]
}

/** The measurements of the contenders and the results of the targets. */
export function checkTargets(
  results: Readonly<Record<string, Measured>>,
  reach: readonly Reach[],
): Readonly<Record<string, unknown>> {
  return {
    ...mapValues(results, (measured) => mapValues(measured, rounded)),
    reach: reach.map((each) => checkTarget(each, results)).filter((each) => each !== undefined),
  }
}

function checkTarget({ of, atMost, times }: Reach, results: Readonly<Record<string, Measured>>) {
  const value = results[of[0]]?.[of[1]]
  const unit = times === undefined ? 1 : results[times[0]]?.[times[1]]
  if (value === undefined || unit === undefined) {
    return undefined
  }
  const target = `${of.join(' ')} at most ${atMost}${times ? ` times ${times.join(' ')}` : ''}`
  return { target, value: rounded(value / unit), reached: value <= atMost * unit }
}

/** Maps the values of a record. */
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
