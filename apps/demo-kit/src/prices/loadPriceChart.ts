import type { PriceChart } from './createPriceChart.ts'

/** Puts a chart into an element; its library comes when the first chart is looked at. */
export async function loadPriceChart(element: HTMLElement): Promise<PriceChart> {
  const { createPriceChart } = await import('./createPriceChart.ts')
  return createPriceChart(element)
}
