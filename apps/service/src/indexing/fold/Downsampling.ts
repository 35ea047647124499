import type { ChainConfig } from '../../config/Config.ts'
import { secondsPerDay, secondsPerMinute } from '../../time.ts'

/** Blocks of which each pool has its last state per bucket of time only, because the exact history does not contain them. */
export interface Downsampling {
  /** Unix seconds; blocks before are downsampled. */
  readonly before: number
  /** Size of the buckets, which are aligned to the unix epoch. */
  readonly bucketSeconds: number
}

/** Which states of pools are written once per bucket of time. */
export function getDownsampling(
  { priceHistory }: Pick<ChainConfig, 'priceHistory'>,
  headTime: number,
): Downsampling {
  // A node may report any time.
  const now = Math.min(headTime, Date.now() / 1000)
  return {
    before: now - priceHistory.exactDays * secondsPerDay,
    bucketSeconds: priceHistory.bucketMinutes * secondsPerMinute,
  }
}

/** What identifies the state of a pool: its block, or its bucket of time, in which a later state replaces it. */
export function getPeriod(block: number, time: number, downsampling?: Downsampling): string {
  return downsampling && time < downsampling.before
    ? `bucket ${Math.floor(time / downsampling.bucketSeconds)} `
    : `${block} `
}
