import { useState } from 'react'
import { directionOf, type Formats } from '@headwater/demo-kit'

interface LivePriceProps {
  price: number | undefined
  formats: Formats
}

/** A price that is highlighted briefly when it changes. */
export function LivePrice({ price, formats }: LivePriceProps) {
  const [tick, setTick] = useState({ price, direction: directionOf(price, price) })
  if (tick.price !== price) {
    setTick({ price, direction: directionOf(tick.price, price) })
  }
  // A new key creates a new element, which restarts the animation.
  return (
    <span key={tick.price} className="tick" data-tick={tick.direction}>
      {formats.usd(price)}
    </span>
  )
}
