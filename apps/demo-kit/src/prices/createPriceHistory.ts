import { BehaviorSubject } from 'rxjs'
import type { PriceTick } from '@headwater/core'
import { extendHistory, type PricePoint } from './PriceHistory.ts'

/** Remembers what is seen of one price while it is looked at. */
export function createPriceHistory() {
  const points$ = new BehaviorSubject<readonly PricePoint[]>([])
  return {
    /** What was seen, in the order of time. */
    points$,
    /** Takes what is known now; the same again changes nothing. */
    add(tick: PriceTick | undefined): void {
      const points = tick ? extendHistory(points$.value, tick, Date.now()) : points$.value
      if (points !== points$.value) {
        points$.next(points)
      }
    },
  }
}
