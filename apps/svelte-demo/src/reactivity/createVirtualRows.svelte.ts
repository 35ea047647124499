import {
  observeWindowOffset,
  observeWindowRect,
  Virtualizer,
  windowScroll,
} from '@tanstack/virtual-core'
import { onMount, tick, untrack } from 'svelte'
import type { Attachment } from 'svelte/attachments'
import { keepFocus, observeTop, overscanOf, paddingOf } from '@headwater/demo-kit'

/** A virtualized list. */
interface LongList<Row> {
  readonly rows: readonly Row[]
  /** Estimated height of an unmeasured row, in pixels. */
  readonly height: number
}

/**
 * Virtualizes the rows of a long list in the scrolling page. Call it during component initialization.
 *
 * @param read - Returns the list; tracked as a dependency.
 * @param keyOf - Key of a row, which keeps its measured height when the row moves.
 */
export function createVirtualRows<Row>(read: () => LongList<Row>, keyOf: (row: Row) => string) {
  /** Offset of the first row in the page. */
  let top = $state.raw(0)
  /** Replaced on each change of the virtualizer, which mutates itself. */
  let change = $state.raw({})

  const options = $derived.by(() => {
    const { rows, height } = read()
    return {
      count: rows.length,
      estimateSize: () => height,
      getItemKey: (index: number) => keyOf(rows[index]!),
      overscan: overscanOf(rows.length),
      scrollMargin: top,
      getScrollElement: () => window,
      initialOffset: () => scrollY,
      initialRect: { width: innerWidth, height: innerHeight },
      observeElementOffset: observeWindowOffset,
      observeElementRect: observeWindowRect,
      scrollToFn: windowScroll,
      onChange: () => (change = {}),
    }
  })
  const virtualizer = new Virtualizer<Window, HTMLElement>(untrack(() => options))
  onMount(() => {
    virtualizer._willUpdate()
    return virtualizer._didMount()
  })
  const shown = $derived.by(() => {
    void change
    virtualizer.setOptions(options)
    const items = virtualizer.getVirtualItems()
    return {
      indexes: items.map(({ index }) => index),
      padding: paddingOf(items, virtualizer.getTotalSize(), top),
    }
  })

  // A row may move while its link has the focus.
  $effect.pre(() => {
    void shown
    void tick().then(keepFocus())
  })

  /** Ref of the element that contains the rows. */
  const body: Attachment<HTMLElement> = (element) => observeTop(element, (offset) => (top = offset))
  /** Ref of each row, which has its index in `data-index`. */
  const row: Attachment<HTMLElement> = (element) => virtualizer.measureElement(element)

  return {
    body,
    row,
    /** Indices of the rendered rows, and the heights in place of those before and after. */
    get shown() {
      return shown
    },
  }
}
