import { useEffect, useRef } from 'react'
import { whenVisible } from '@headwater/demo-kit'

interface EndOfListProps {
  /** Number of shown items; the end moves with each change. */
  count: number
  hasNextPage: boolean
  fetchNextPage: () => Promise<void>
}

/** The current end of a list: loads the next page when it comes close to the viewport. */
export function EndOfList({ count, hasNextPage, fetchNextPage }: EndOfListProps) {
  const end = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (hasNextPage) {
      return whenVisible(end.current!, () => void fetchNextPage())
    }
  }, [count, hasNextPage, fetchNextPage])
  return <div ref={end} className="end" data-more={hasNextPage} />
}
