import type { BalancesSnapshot } from '@headwater/core'

import { locale } from './locale.ts'

const time = new Intl.DateTimeFormat(locale, { timeStyle: 'medium', hourCycle: 'h23' })

/** Whether what is shown is live, and of when it is: old data beside an error are not. */
export function freshnessText({
  status,
  response_time: responseTime,
}: Pick<BalancesSnapshot, 'status' | 'response_time'>): string {
  if (status === 'pending') return 'Loading'
  const moment = timeText(responseTime)
  if (status === 'error') return moment ? `Not live · as of ${moment}` : 'Not live'
  return moment ? `Live · last change ${moment}` : 'Live'
}

/** The time of day of an ISO 8601 moment; nothing where it is none. */
function timeText(moment: string | undefined): string {
  const date = new Date(moment ?? '')
  return Number.isNaN(date.getTime()) ? '' : time.format(date)
}
