import type { Query } from '@tanstack/query-core'

/** A question that is asked again and again. */
export interface Pollable {
  /** Milliseconds between an answer and the next poll; `Infinity` for never. */
  readonly interval: number
  readonly cached: Query | undefined
  /** Asks, or joins what is under way. Never rejects. */
  refetch(): Promise<void>
}
