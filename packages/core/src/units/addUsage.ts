import type { OperationName } from '../operation/OperationName.ts'
import type { Usage } from './Usage.ts'

const minute = 60_000
/** For how many minutes it is told what each one spent. */
const minutesKept = 60

/** A usage and what one more request cost; the same one if that changes nothing. */
export function addUsage(
  usage: Usage,
  operation: OperationName,
  units: number,
  remaining = usage.remaining,
): Usage {
  if (units === 0) return remaining === usage.remaining ? usage : { ...usage, remaining }
  const { spent, byOperation, byMinute } = usage
  const startedAt = Math.floor(Date.now() / minute) * minute
  const newest = byMinute.at(-1)
  // A clock that was set back goes on in the newest minute, so that they stay in order.
  const isOpen = newest !== undefined && newest.startedAt >= startedAt
  const minutes = isOpen
    ? [...byMinute.slice(0, -1), { ...newest, spent: newest.spent + units }]
    : [...byMinute, { startedAt, spent: units }].slice(-minutesKept)
  return {
    spent: spent + units,
    byOperation: { ...byOperation, [operation]: (byOperation[operation] ?? 0) + units },
    byMinute: minutes,
    remaining,
  }
}
