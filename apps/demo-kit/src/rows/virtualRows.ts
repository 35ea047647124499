/** Shorter lists are rendered completely, so that the browser's text search finds every row. */
const shortList = 100

/** How many rows to render before and after the visible ones. */
export function overscanOf(count: number): number {
  return count <= shortList ? count : 10
}

/**
 * The heights in place of the rows before and after the rendered ones of a virtualized list, in pixels.
 *
 * @param rendered - The rendered rows, by their offsets in the page.
 * @param totalHeight - Height of all rows.
 * @param top - Offset of the first row in the page.
 */
export function paddingOf(
  rendered: readonly { readonly start: number; readonly end: number }[],
  totalHeight: number,
  top: number,
): { readonly before: number; readonly after: number } {
  const first = rendered[0]
  const last = rendered.at(-1)
  return {
    before: first ? first.start - top : 0,
    after: last ? totalHeight - (last.end - top) : 0,
  }
}

/**
 * Observes the offset of an element in the page, which changes with the height of the content above it.
 *
 * @param update - Called with the offset in pixels, at once and whenever the height of the page changes.
 * @returns A function that stops observing.
 */
export function observeTop(element: HTMLElement, update: (top: number) => void): () => void {
  const measure = () => update(Math.round(element.getBoundingClientRect().top + scrollY))
  const observer = new ResizeObserver(measure)
  observer.observe(document.body)
  measure()
  return () => observer.disconnect()
}
