import { useWindowVirtualizer } from '@tanstack/vue-virtual'
import { computed, onBeforeUnmount, onMounted, type ShallowRef, shallowRef } from 'vue'

/** A list so short is whole on the page, so that the browser's own search finds everything in it. */
const shortList = 100

/** What is known of a long list. */
interface LongList<Row> {
  /** The element around the rows. */
  body: Readonly<ShallowRef<HTMLElement | null>>
  rows: () => readonly Row[]
  /** How high a row is as long as it has not been measured, in pixels. */
  height: () => number
  /** What tells rows apart, so that they keep their measures when they change places. */
  keyOf: (row: Row) => string
}

/** Which rows of a long list are to be on the page, as the page is scrolled. */
export function useVirtualRows<Row>({ body, rows, height, keyOf }: LongList<Row>) {
  const top = shallowRef(0)
  // Whatever stands above may change its height, and with it that of the page.
  const observer = new ResizeObserver(measureTop)
  onMounted(() => {
    observer.observe(document.body)
    measureTop()
  })
  onBeforeUnmount(() => observer.disconnect())

  function measureTop() {
    if (body.value) {
      top.value = Math.round(body.value.getBoundingClientRect().top + scrollY)
    }
  }

  const virtualizer = useWindowVirtualizer(
    computed(() => {
      const [list, rowHeight] = [rows(), height()]
      return {
        count: list.length,
        estimateSize: () => rowHeight,
        getItemKey: (index: number) => keyOf(list[index]!),
        overscan: list.length <= shortList ? list.length : 10,
        scrollMargin: top.value,
      }
    }),
  )
  const shown = computed(() => virtualizer.value.getVirtualItems())
  return {
    shown,
    /** Room for the rows before and after; belongs to the element around them. */
    style: computed(() => {
      const [first, last] = [shown.value[0], shown.value.at(-1)]
      const after = last ? virtualizer.value.getTotalSize() - (last.end - top.value) : 0
      return {
        paddingTop: `${first ? first.start - top.value : 0}px`,
        paddingBottom: `${after}px`,
      }
    }),
    /** For `v-measure` of each row, which says its `data-index`. */
    measure: virtualizer.value.measureElement,
  }
}
