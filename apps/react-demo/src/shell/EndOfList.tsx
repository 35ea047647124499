import { useEffect, useRef } from 'react'
import { type EndlessList, loadAtEnd } from '@headwater/demo-kit'

interface EndOfListProps {
  /** Number of shown items; the end moves with each change. */
  count: number
  list: EndlessList
}

/** The current end of a list: loads the next page when it comes close to the viewport. */
export function EndOfList({ count, list }: EndOfListProps) {
  const end = useRef<HTMLDivElement>(null)
  const { error, fetchNextPage, hasNextPage, isFetchingNextPage } = list
  useEffect(
    () => loadAtEnd(end.current!, { error, fetchNextPage, hasNextPage, isFetchingNextPage }),
    [count, error, fetchNextPage, hasNextPage, isFetchingNextPage],
  )
  return <div ref={end} className="end" data-more={hasNextPage} />
}
