import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { useLayoutEffect, useRef, useState } from 'react'
import { observeTop, overscanOf, paddingOf } from '@headwater/demo-kit'

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
  useLayoutEffect(() => observeTop(body.current!, setTop), [])
  const virtualizer = useWindowVirtualizer({
    count,
    estimateSize: () => height,
    getItemKey: keyOf,
    overscan: overscanOf(count),
    scrollMargin: top,
  })
  const rows = virtualizer.getVirtualItems()
  const { before, after } = paddingOf(rows, virtualizer.getTotalSize(), top)
  return {
    /** Ref of the element that contains the rows. */
    body,
    rows,
    /** Padding in place of the rows before and after. */
    style: { paddingTop: before, paddingBottom: after },
    /** Ref of each row, which has its index in `data-index`. */
    measure: virtualizer.measureElement,
  }
}
