import type { BalancesSnapshot } from '@headwater/core'
import type { Formats } from '../formats/createFormats.ts'

/** Whether what is shown is live, and of when it is: old data beside an error are not. */
export function freshnessText(
  { status, response_time: responseTime }: Pick<BalancesSnapshot, 'status' | 'response_time'>,
  { time }: Pick<Formats, 'time'>,
): string {
  if (status === 'pending') {
    return 'Loading'
  }
  const moment = time(responseTime)
  if (status === 'error') {
    return moment ? `Not live · as of ${moment}` : 'Not live'
  }
  return moment ? `Live · last change ${moment}` : 'Live'
}
