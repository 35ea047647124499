import type { BalancesSnapshot } from '@headwater/core'
import type { Formats } from '../formats/createFormats.ts'

/** Whether the shown data is live, and its time. Data shown with an error is stale. */
export function freshnessText(
  { status, response_time: responseTime }: Pick<BalancesSnapshot, 'status' | 'response_time'>,
  { time }: Pick<Formats, 'time'>,
): string {
  if (status === 'pending') {
    return 'Loading'
  }
  const timeText = time(responseTime)
  if (status === 'error') {
    return timeText ? `Not live · as of ${timeText}` : 'Not live'
  }
  return timeText ? `Live · last change ${timeText}` : 'Live'
}
