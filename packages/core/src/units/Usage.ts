import type { OperationName } from '../operation/OperationName.ts'

/**
 * Compute units that a client spent.
 *
 * @example
 * import { createClient, type Usage } from '@headwater/core'
 * const show = ({ spent, remaining }: Usage) => console.log(`${spent} spent, ${remaining ?? '?'} left`)
 * createClient({ baseUrl: 'https://example.org', apiKey: 'key' }).usage$.subscribe(show)
 */
export interface Usage {
  /** All, since the client was made. */
  readonly spent: number
  /** By operation; one that spent nothing is left out. */
  readonly byOperation: Readonly<Partial<Record<OperationName, number>>>
  /** By minute of the local clock, the oldest first; minutes without any are left out. Up to the newest 60. */
  readonly byMinute: readonly UsageMinute[]
  /** What is left of the key's quota, as the service said last; undefined as long as it says nothing. */
  readonly remaining: number | undefined
}

/**
 * What was spent in a minute.
 *
 * @example
 * import type { UsageMinute } from '@headwater/core'
 * const row = ({ startedAt, spent }: UsageMinute) => [new Date(startedAt).toLocaleTimeString(), spent]
 */
export interface UsageMinute {
  /** When the minute began, by the local clock in milliseconds. */
  readonly startedAt: number
  /** Compute units. */
  readonly spent: number
}
