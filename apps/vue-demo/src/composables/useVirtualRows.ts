import { useWindowVirtualizer } from '@tanstack/vue-virtual'
import {
  computed,
  nextTick,
  onBeforeUnmount,
  onBeforeUpdate,
  onMounted,
  type ShallowRef,
  shallowRef,
} from 'vue'
import { keepFocus } from '@headwater/demo-kit'

/** Shorter lists are rendered completely, so that the browser's text search finds every row. */
const shortList = 100

/** A virtualized list. */
interface LongList<Row> {
  /** The element that contains the rows. */
  body: Readonly<ShallowRef<HTMLElement | null>>
  rows: () => readonly Row[]
  /** Estimated height of an unmeasured row, in pixels. */
  height: () => number
  /** Key of a row, which keeps its measured height when the row moves. */
  keyOf: (row: Row) => string
}

/** Virtualizes the rows of a long list in the scrolling page. */
export function useVirtualRows<Row>({ body, rows, height, keyOf }: LongList<Row>) {
  const top = shallowRef(0)
  // Content above the list may change its height, and with it the height of the page.
  const observer = new ResizeObserver(measureTop)
  onMounted(() => {
    observer.observe(document.body)
    measureTop()
  })
  onBeforeUnmount(() => observer.disconnect())
  // A row may move while its link has the focus.
  onBeforeUpdate(() => void nextTick(keepFocus()))

  function measureTop() {
    if (body.value) {
      top.value = Math.round(body.value.getBoundingClientRect().top + scrollY)
    }
  }

  const virtualizer = useWindowVirtualizer(
    computed(() => {
      const list = rows()
      const rowHeight = height()
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
    /** Padding of the containing element in place of the rows before and after. */
    style: computed(() => {
      const first = shown.value[0]
      const last = shown.value.at(-1)
      const after = last ? virtualizer.value.getTotalSize() - (last.end - top.value) : 0
      return {
        paddingTop: `${first ? first.start - top.value : 0}px`,
        paddingBottom: `${after}px`,
      }
    }),
    /** Value of `v-measure` for each row, which has its index in `data-index`. */
    measure: virtualizer.value.measureElement,
  }
}
