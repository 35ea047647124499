import { useEffect, useRef, useState } from 'react'
import { type chartPoints, mountPriceChart, type PriceChart as Chart } from '@headwater/demo-kit'
import { useFormats } from '../hooks/useFormats.ts'

interface PriceChartProps {
  points: ReturnType<typeof chartPoints>
  /** Text alternative of the chart. */
  text: string
}

export function PriceChart({ points, text }: PriceChartProps) {
  const formats = useFormats()
  const element = useRef<HTMLDivElement>(null)
  const chart = useRef<Chart>(null)
  const [isMissing, setMissing] = useState(false)
  useEffect(() => {
    const mounted = mountPriceChart(element.current!, () => setMissing(true))
    chart.current = mounted
    return () => mounted.remove()
  }, [])
  useEffect(() => chart.current?.draw(points, formats), [points, formats])

  return (
    <div className="plot" ref={element} role="img" aria-label={text} data-testid="token-chart">
      {isMissing && <p className="empty">The chart could not be loaded.</p>}
    </div>
  )
}
