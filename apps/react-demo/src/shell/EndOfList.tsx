import { useEffect, useRef } from 'react'
import { whenVisible } from '@headwater/demo-kit'

interface EndOfListProps {
  /** How many are shown: with each more the end is another one. */
  count: number
  hasNextPage: boolean
  fetchNextPage: () => Promise<void>
}

/** Where a list ends for now: brings more as soon as it is nearly seen. */
export function EndOfList({ count, hasNextPage, fetchNextPage }: EndOfListProps) {
  const end = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (hasNextPage) {
      return whenVisible(end.current!, () => void fetchNextPage())
    }
  }, [count, hasNextPage, fetchNextPage])
  return <div ref={end} className="end" data-more={hasNextPage} />
}
