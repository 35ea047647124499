import type { PriceTickChange } from '@headwater/core'
import { directionOf } from '@headwater/demo-kit'
import { useFormats } from '../hooks/useFormats.ts'

const offsets = [
  { hours: 1, label: '1 h' },
  { hours: 24, label: '24 h' },
  { hours: 168, label: '7 d' },
]

/** Changes of the price. */
export function OffsetChanges({ changes }: { changes: readonly PriceTickChange[] | undefined }) {
  const formats = useFormats()
  return (
    <dl className="figures three">
      {offsets.map(({ hours, label }) => {
        const percent = changes?.find(({ offset_hours: offset }) => offset === hours)?.percent
        return (
          <div key={hours}>
            <dt>{label}</dt>
            <dd
              data-testid="offset-change"
              data-hours={hours}
              data-direction={directionOf(0, percent)}
            >
              {formats.change(percent)}
            </dd>
          </div>
        )
      })}
    </dl>
  )
}
