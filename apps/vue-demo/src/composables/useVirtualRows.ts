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
import { keepFocus, observeTop, overscanOf, paddingOf } from '@headwater/demo-kit'

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
  let stopObserving = () => {}
  onMounted(() => (stopObserving = observeTop(body.value!, (offset) => (top.value = offset))))
  onBeforeUnmount(() => stopObserving())
  // A row may move while its link has the focus.
  onBeforeUpdate(() => void nextTick(keepFocus()))

  const virtualizer = useWindowVirtualizer(
    computed(() => {
      const list = rows()
      const rowHeight = height()
      return {
        count: list.length,
        estimateSize: () => rowHeight,
        getItemKey: (index: number) => keyOf(list[index]!),
        overscan: overscanOf(list.length),
        scrollMargin: top.value,
      }
    }),
  )
  const shown = computed(() => virtualizer.value.getVirtualItems())
  return {
    shown,
    /** Padding of the containing element in place of the rows before and after. */
    style: computed(() => {
      const { before, after } = paddingOf(shown.value, virtualizer.value.getTotalSize(), top.value)
      return { paddingTop: `${before}px`, paddingBottom: `${after}px` }
    }),
    /** Value of `v-measure` for each row, which has its index in `data-index`. */
    measure: virtualizer.value.measureElement,
  }
}
