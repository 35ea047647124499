import { sql } from 'kysely'
import type { ChainFault } from '@headwater/contract/schemas'
import type { ChainConfig } from '../config/Config.ts'
import type { ChainHold } from './Database.ts'

/**
 * Whether a chain can be part of a response: as of its head (`current`), as of a block that was the head a while ago
 * (`stale`), or not, and why.
 */
export type ChainStatus = 'current' | 'stale' | ChainFault

/** What the status of a chain depends on, beside its limits. */
interface ChainCondition {
  /** Whether the initial sync is complete. */
  readonly isSynced: boolean
  /** Whether indexing has stopped until an operator acts. */
  readonly isStopped: boolean
  /** Milliseconds since the indexed block was last confirmed as the head. */
  readonly unconfirmedMs: number
}

export function getChainStatus(
  { isSynced, isStopped, unconfirmedMs }: ChainCondition,
  { staleness }: Pick<ChainConfig, 'staleness'>,
): ChainStatus {
  if (isStopped) {
    return 'CHAIN_STOPPED'
  }
  if (!isSynced) {
    return 'CHAIN_NOT_READY'
  }
  const seconds = unconfirmedMs / 1000
  if (seconds > staleness.rejectAfterSeconds) {
    return 'CHAIN_STALE'
  }
  return seconds > staleness.warnAfterSeconds ? 'stale' : 'current'
}

/** Whether nodes answer for a chain: until its index is complete, also while that is stopped, unless an operator detached it. */
export function isNodeBacked(
  { isSynced, hold }: Pick<ChainCondition, 'isSynced'> & { readonly hold: ChainHold | undefined },
  { history }: Pick<ChainConfig, 'history'>,
): boolean {
  const isDetached = hold === 'detach' || hold === 'detached'
  return history === 'node' || (history === 'node-then-index' && !isSynced && !isDetached)
}

/** Whether a chain with this status can be part of a response. */
export function isAvailable(status: ChainStatus): status is 'current' | 'stale' {
  return status === 'current' || status === 'stale'
}

/**
 * Milliseconds since the indexed block was last confirmed as the head, by the clock of the database; for queries that join
 * `chains` and `indexers`. The head is confirmed for the first time when the initial sync completes.
 */
export const unconfirmedMs = sql<number | null>`
  (1000 * extract(epoch from
    clock_timestamp() - greatest(chains.synced_at, indexers.confirmed_at)))::bigint`

/**
 * Seconds since the process that indexes the chain last reported, by the clock of the database, for queries of `indexers`: null
 * before the first time, and while the chain is stopped or held, so that none has to.
 */
export const unreportedSeconds = sql<number | null>`
  case when stopped_reason is null and hold is null then
    greatest(0, extract(epoch from clock_timestamp() - indexers.reported_at))::bigint end`

/** Longer than a standby takes to replace a process whose host is unreachable. */
const maxUnreportedSeconds = 60

/** Why a chain is not indexed, if its process does not report; undefined otherwise. */
export function describeSilence(unreportedSeconds: number | null): string | undefined {
  return (unreportedSeconds ?? 0) > maxUnreportedSeconds
    ? `the process that indexes it has not reported for ${unreportedSeconds} s: check that one runs, and its log, as it may be unable to write to its database`
    : undefined
}
