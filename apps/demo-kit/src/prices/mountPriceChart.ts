import { settings$ } from '../settings/storedSettings.ts'
import type { PriceChart } from './createPriceChart.ts'

/**
 * Puts a chart into an element. Its library comes with the first chart that is looked at; what is to be drawn before, is
 * drawn then. It follows the theme.
 *
 * @param onFailure - Told when the library does not come, as without a network.
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
    draw(...what) {
      drawn = what
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
