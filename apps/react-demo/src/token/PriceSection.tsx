import { useEffect, useMemo, useState } from 'react'
import type { PriceTick } from '@headwater/core'
import { chartPoints, chartRanges, chartText, createPriceHistory } from '@headwater/demo-kit'
import { useFormats } from '../hooks/useFormats.ts'
import { useNow } from '../hooks/useNow.ts'
import { useValue } from '../hooks/useValue.ts'
import { PriceChart } from './PriceChart.tsx'

/** The price over time: historical prices of the service, then each update. */
export function PriceSection({ tick }: { tick: PriceTick | undefined }) {
  const formats = useFormats()
  const [history] = useState(createPriceHistory)
  useEffect(() => history.add(tick), [history, tick])
  const points = useValue(history.points$)
  const [range, setRange] = useState(chartRanges[1]!)
  const now = useNow(3000)
  const drawn = useMemo(() => chartPoints(points, range, now), [points, range, now])
  const text = chartText(drawn, range, formats)

  return (
    <figure className="chart" aria-label="Price over time">
      <div className="ranges" role="group" aria-label="Time shown">
        {chartRanges.map((each) => (
          <button
            key={each.label}
            type="button"
            data-testid="chart-range"
            aria-pressed={each === range}
            onClick={() => setRange(each)}
          >
            {each.label}
          </button>
        ))}
      </div>
      <PriceChart points={drawn} text={text} />
      <figcaption>
        {text}{' '}
        <a href="https://www.tradingview.com/" target="_blank" rel="noreferrer">
          Chart: TradingView Lightweight Charts™
        </a>
      </figcaption>
    </figure>
  )
}
