import type { Directive } from 'vue'

/**
 * Directive for a row of a virtualized list: passes its element to the virtualizer after the render. A function ref would
 * force a layout per row.
 */
export const vMeasure: Directive<HTMLElement, (row: HTMLElement | null) => void> = {
  mounted: (row, { value: measure }) => measure(row),
  unmounted: (_row, { value: measure }) => measure(null),
}
