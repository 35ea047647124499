import { replaceEqualDeep } from '@tanstack/query-core'
import { isObject } from '../isObject.ts'

/** When an answer was made says nothing about what it says. */
const times = ['request_time', 'response_time'] as const

/**
 * Keeps what an answer shares with the one before, so that only what changed changes its identity. An answer that
 * differs in nothing but its own times is the one before, times included.
 */
export function shareAnswer(previous: unknown, next: unknown): unknown {
  if (!isObject(previous) || !isObject(next)) return next
  const timed = { ...next }
  for (const field of times) {
    if (field in previous && field in next) timed[field] = previous[field]
  }
  const shared: unknown = replaceEqualDeep(previous, timed)
  if (shared === previous) return previous
  const answer = { ...(shared as Record<string, unknown>) }
  for (const field of times) if (field in next) answer[field] = next[field]
  return answer
}
