import { defer, distinctUntilChanged, map, repeat, share, tap } from 'rxjs'
import { askPrice, interval, priceOf } from './priceAnswers.ts'

/** The newest price. */
export const newest: { price?: number | undefined } = {}

/** The floor: the price by bare rxjs, which neither caches nor retries, and compares once for all who subscribe. */
export const price$ = defer(askPrice).pipe(
  repeat({ delay: interval }),
  map(priceOf),
  distinctUntilChanged(),
  tap((price) => (newest.price = price)),
  share(),
)
