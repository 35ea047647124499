import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { useLayoutEffect, useRef, useState } from 'react'

/** A list so short is whole on the page, so that the browser's own search finds everything in it. */
const shortList = 100

/**
 * Which rows of a long list are to be on the page, as the page is scrolled.
 *
 * @param count - How many rows there are.
 * @param height - How high a row is as long as it has not been measured, in pixels.
 * @param keyOf - What tells rows apart, so that they keep their measures when they change places.
 */
export function useVirtualRows(count: number, height: number, keyOf: (index: number) => string) {
  const body = useRef<HTMLDivElement>(null)
  const [top, setTop] = useState(0)
  useLayoutEffect(() => {
    const measure = () => setTop(Math.round(body.current!.getBoundingClientRect().top + scrollY))
    // Whatever stands above may change its height, and with it that of the page.
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
  const [first, last] = [rows[0], rows.at(-1)]
  return {
    /** Belongs to the element around the rows. */
    body,
    rows,
    /** Room for the rows before and after. */
    style: {
      paddingTop: first ? first.start - top : 0,
      paddingBottom: last ? virtualizer.getTotalSize() - (last.end - top) : 0,
    },
    /** Belongs to each row, which says its `data-index`. */
    measure: virtualizer.measureElement,
  }
}
