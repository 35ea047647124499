import {
  observeWindowOffset,
  observeWindowRect,
  Virtualizer,
  windowScroll,
} from '@tanstack/virtual-core'
import { onMount, untrack } from 'svelte'
import type { Attachment } from 'svelte/attachments'

/** A list so short is whole on the page, so that the browser's own search finds everything in it. */
const shortList = 100

/** What is known of a long list. */
interface LongList<Row> {
  readonly rows: readonly Row[]
  /** How high a row is as long as it has not been measured, in pixels. */
  readonly height: number
}

/**
 * Which rows of a long list are to be on the page, as the page is scrolled. Call it while a component is made.
 *
 * @param read - The list; its state is followed.
 * @param keyOf - What tells rows apart, so that they keep their measures when they change places.
 */
export function createVirtualRows<Row>(read: () => LongList<Row>, keyOf: (row: Row) => string) {
  /** Where the first row begins on the page. */
  let top = $state.raw(0)
  /** Another object each time the virtualizer has something new. */
  let change = $state.raw({})

  const options = $derived.by(() => {
    const { rows, height } = read()
    return {
      count: rows.length,
      estimateSize: () => height,
      getItemKey: (index: number) => keyOf(rows[index]!),
      overscan: rows.length <= shortList ? rows.length : 10,
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
    const [first, last] = [items[0], items.at(-1)]
    return {
      indexes: items.map(({ index }) => index),
      before: first ? first.start - top : 0,
      after: last ? virtualizer.getTotalSize() - (last.end - top) : 0,
    }
  })

  /** Belongs to the element around the rows. */
  const body: Attachment<HTMLElement> = (element) => {
    const measure = () => (top = Math.round(element.getBoundingClientRect().top + scrollY))
    // Whatever stands above may change its height, and with it that of the page.
    const observer = new ResizeObserver(measure)
    observer.observe(document.body)
    measure()
    return () => observer.disconnect()
  }
  /** Belongs to each row, which says its `data-index`. */
  const row: Attachment<HTMLElement> = (element) => virtualizer.measureElement(element)

  return {
    body,
    row,
    /** The places of the rows to show. */
    get indexes(): readonly number[] {
      return shown.indexes
    },
    /** Room for the rows before, in pixels. */
    get before(): number {
      return shown.before
    },
    /** Room for the rows after, in pixels. */
    get after(): number {
      return shown.after
    },
  }
}
