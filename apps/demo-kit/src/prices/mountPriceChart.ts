import { settings$ } from '../settings/storedSettings.ts'
import type { PriceChart } from './createPriceChart.ts'

/**
 * Creates a chart in an element. The chart library is loaded with the first chart, and the latest points are drawn once it
 * is loaded. Redraws when the theme changes.
 *
 * @param onFailure - Called when the library fails to load, for example without a network.
 */
export function mountPriceChart(element: HTMLElement, onFailure: () => void): PriceChart {
  let chart: PriceChart | undefined
  let drawn: Parameters<PriceChart['draw']> | undefined
  let isRemoved = false
  const redraw = () => {
    if (drawn) {
      chart?.draw(...drawn)
    }
  }

  const scheme = matchMedia('(prefers-color-scheme: dark)')
  scheme.addEventListener('change', redraw)
  const settings = settings$.subscribe(redraw)
  import('./createPriceChart.ts').then(({ createPriceChart }) => {
    if (isRemoved) {
      return
    }
    chart = createPriceChart(element)
    redraw()
  }, onFailure)

  return {
    draw(...args) {
      drawn = args
      redraw()
    },
    remove() {
      isRemoved = true
      scheme.removeEventListener('change', redraw)
      settings.unsubscribe()
      chart?.remove()
    },
  }
}
