import { setTimeout as delay } from 'node:timers/promises'
import type { Measured } from '../../checkTargets.ts'

/** Numbers of warm-up rounds and measured rounds. */
const warmUp = 40
const counted = 60

/** The state that a contender reports. */
export interface Progress {
  /** Completed rounds. */
  readonly rounds: () => number
  /** Counts so far. */
  readonly counts: Readonly<Record<string, () => number>>
}

/** Runs polling rounds in real time and measures the CPU time of all threads per round, in milliseconds. */
export async function measureRounds(progress: Progress): Promise<Measured> {
  await until(() => progress.rounds() >= warmUp)
  const first = progress.rounds()
  const counts = Object.entries(progress.counts).map(([name, count]) => ({
    name,
    count,
    first: count(),
  }))
  const before = process.cpuUsage()
  await until(() => progress.rounds() >= first + counted)
  const { user, system } = process.cpuUsage(before)
  const rounds = progress.rounds() - first
  return {
    cpuMs: (user + system) / 1000 / rounds,
    ...Object.fromEntries(
      counts.map(({ name, count, first }) => [name, (count() - first) / rounds]),
    ),
  }
}

async function until(done: () => boolean): Promise<void> {
  while (!done()) {
    await delay(25)
  }
}
