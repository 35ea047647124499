import { defer, distinctUntilChanged, map, repeat, share, tap } from 'rxjs'
import { fetchPrice, interval, priceOf } from './priceService.ts'

/** The current price. */
export const newest: { price?: number | undefined } = {}

/** The baseline: plain rxjs without cache or retries, which compares once for all subscribers. */
export const price$ = defer(fetchPrice).pipe(
  repeat({ delay: interval }),
  map(priceOf),
  distinctUntilChanged(),
  tap((price) => (newest.price = price)),
  share(),
)
