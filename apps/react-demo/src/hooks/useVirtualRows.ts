import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { useLayoutEffect, useRef, useState } from 'react'

/** Shorter lists are rendered completely, so that the browser's text search finds every row. */
const shortList = 100

/**
 * Virtualizes the rows of a long list in the scrolling page.
 *
 * @param count - Number of rows.
 * @param height - Estimated height of an unmeasured row, in pixels.
 * @param keyOf - Key of a row, which keeps its measured height when the row moves.
 */
export function useVirtualRows(count: number, height: number, keyOf: (index: number) => string) {
  const body = useRef<HTMLDivElement>(null)
  const [top, setTop] = useState(0)
  useLayoutEffect(() => {
    const measure = () => setTop(Math.round(body.current!.getBoundingClientRect().top + scrollY))
    // Content above the list may change its height, and with it the height of the page.
    const observer = new ResizeObserver(measure)
    observer.observe(document.body)
    measure()
    return () => observer.disconnect()
  }, [])
  const virtualizer = useWindowVirtualizer({
    count,
    estimateSize: () => height,
    getItemKey: keyOf,
    overscan: count <= shortList ? count : 10,
    scrollMargin: top,
  })
  const rows = virtualizer.getVirtualItems()
  const first = rows[0]
  const last = rows.at(-1)
  return {
    /** Ref of the element that contains the rows. */
    body,
    rows,
    /** Padding in place of the rows before and after. */
    style: {
      paddingTop: first ? first.start - top : 0,
      paddingBottom: last ? virtualizer.getTotalSize() - (last.end - top) : 0,
    },
    /** Ref of each row, which has its index in `data-index`. */
    measure: virtualizer.measureElement,
  }
}
