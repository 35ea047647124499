import { setTimeout as delay } from 'node:timers/promises'
import type { Measured } from '../../judge.ts'

/** How many rounds go by before it counts, and how many count. */
const warmUp = 40
const counted = 60

/** What a contender tells about itself. */
export interface Progress {
  /** Rounds that are complete. */
  readonly rounds: () => number
  /** What is counted of it, so far. */
  readonly counts: Readonly<Record<string, () => number>>
}

/** Lets rounds of polling go by in real time and measures what one takes: CPU time of all threads, in milliseconds. */
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
