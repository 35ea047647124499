import { replaceEqualDeep } from '@tanstack/query-core'
import { isObject } from '../isObject.ts'

/**
 * Keeps what an answer shares with the one before, so that only what changed changes its identity. An answer that
 * differs in nothing but its own times is the one before, times included.
 */
export function shareAnswer(previous: unknown, next: unknown): unknown {
  if (!isObject(previous) || !isObject(next)) return next
  const before = withoutTimes(previous)
  const shared = replaceEqualDeep(before, withoutTimes(next))
  return shared === before ? previous : { ...next, ...shared }
}

/** When an answer was made says nothing about what it says. */
function withoutTimes(answer: Record<string, unknown>) {
  const said = { ...answer }
  delete said.request_time
  delete said.response_time
  return said
}
