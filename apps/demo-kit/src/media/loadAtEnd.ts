import type { CollectionSnapshot } from '@headwater/core'
import { intervals } from '../meter/intervals.ts'

/** A listing that loads its pages when they are needed. */
export type EndlessList = Pick<
  CollectionSnapshot<unknown>,
  'error' | 'fetchNextPage' | 'hasNextPage' | 'isFetchingNextPage'
>

/**
 * Requests the next page of a listing when its end comes close to the viewport; after a failed page later, and not while a
 * retry cannot help. An observer reports changes only: call this again when the end has moved or the listing has changed,
 * because the end may have stayed close.
 *
 * @returns A function that stops observing.
 */
export function loadAtEnd(end: Element, list: EndlessList): (() => void) | undefined {
  const { error, fetchNextPage, hasNextPage, isFetchingNextPage } = list
  if (!hasNextPage || isFetchingNextPage || (error && !error.isRetryable)) {
    return undefined
  }
  let retry: ReturnType<typeof setTimeout> | undefined
  const observer = new IntersectionObserver(
    (entries) => {
      clearTimeout(retry)
      if (!entries.at(-1)!.isIntersecting) {
        return
      }
      if (error) {
        retry = setTimeout(() => void fetchNextPage(), intervals.holders)
      } else {
        void fetchNextPage()
      }
    },
    { rootMargin: '800px' },
  )
  observer.observe(end)
  return () => {
    clearTimeout(retry)
    observer.disconnect()
  }
}
