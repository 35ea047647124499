import {
  type AreaData,
  AreaSeries,
  createChart,
  type Time,
  type UTCTimestamp,
  type WhitespaceData,
} from 'lightweight-charts'
import type { Formats } from '../formats/createFormats.ts'
import type { ChartPoint } from './chartPoints.ts'

/** A price chart. */
export interface PriceChart {
  /** Draws points in the colours of the theme. */
  draw(points: readonly ChartPoint[], formats: Formats): void
  /** Removes the chart from the page. */
  remove(): void
}

/**
 * Creates a chart that fills an element. Its colours are computed styles of the element: `color` for texts, `border-color`
 * for lines, `caret-color` for the price.
 */
export function createPriceChart(element: HTMLElement): PriceChart {
  const chart = createChart(element, {
    autoSize: true,
    // The attribution is below the chart: the library's logo adds a style element, which the Content-Security-Policy blocks.
    layout: { attributionLogo: false, background: { color: 'transparent' }, fontFamily: 'inherit' },
    // The page scrolls, not the chart.
    handleScroll: false,
    handleScale: false,
    rightPriceScale: { borderVisible: false, scaleMargins: { top: 0.12, bottom: 0.08 } },
    timeScale: {
      borderVisible: false,
      timeVisible: true,
      fixLeftEdge: true,
      fixRightEdge: true,
      // A narrower chart shows the same time range.
      lockVisibleTimeRangeOnResize: true,
    },
    grid: { vertLines: { visible: false } },
  })
  const series = chart.addSeries(AreaSeries, { lineWidth: 2, priceLineStyle: 2 })

  function draw(points: readonly ChartPoint[], formats: Formats): void {
    const { color, borderTopColor, caretColor, fontFamily } = getComputedStyle(element)
    chart.applyOptions({
      layout: { textColor: color, fontFamily },
      grid: { horzLines: { color: borderTopColor } },
      localization: {
        locale: formats.locale,
        priceFormatter: formats.usd,
        timeFormatter: (time: Time) => formats.dateTime(Number(time) * 1000),
      },
      timeScale: { tickMarkFormatter: tickText },
    })
    series.applyOptions({
      lineColor: caretColor,
      topColor: withAlpha(caretColor, 0.22),
      bottomColor: withAlpha(caretColor, 0),
      // The smallest step of the price scale.
      priceFormat: { type: 'custom', formatter: formats.usd, minMove: stepOf(points) },
    })
    const span = (points.at(-1)?.time ?? 0) - (points[0]?.time ?? 0)
    series.setData(points as (AreaData<UTCTimestamp> | WhitespaceData<UTCTimestamp>)[])
    chart.timeScale().fitContent()

    function tickText(time: Time): string {
      const milliseconds = Number(time) * 1000
      return span > 86_400 * 2 ? formats.day(milliseconds) : formats.hour(milliseconds)
    }
  }

  return { draw, remove: () => chart.remove() }
}

function stepOf(points: readonly ChartPoint[]): number {
  const largest = Math.max(...points.map(({ value = 0 }) => value))
  return largest > 0 ? 10 ** (Math.floor(Math.log10(largest)) - 5) : 0.01
}

/** Adds an alpha value to a computed colour, `rgb(…)`. */
function withAlpha(color: string, alpha: number): string {
  return color.replace(/^rgb\((.*)\)$/, `rgba($1, ${alpha})`)
}
