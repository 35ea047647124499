import type { Directive } from 'vue'

/**
 * For a row of a long list: hands its element to what measures rows. After the render, as a function reference would make
 * the browser lay the page out with each row.
 */
export const vMeasure: Directive<HTMLElement, (row: HTMLElement | null) => void> = {
  mounted: (row, { value: measure }) => measure(row),
  unmounted: (_row, { value: measure }) => measure(null),
}
