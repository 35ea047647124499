import { useUsage } from '@headwater/react'
import { useFormats } from '../hooks/useFormats.ts'

interface MeterToggleProps {
  isOpen: boolean
  onToggle: () => void
}

/** The spent units; opens and closes the meter. */
export function MeterToggle({ isOpen, onToggle }: MeterToggleProps) {
  const { spent } = useUsage()
  const { count } = useFormats()
  return (
    <button
      type="button"
      className="meter-toggle"
      data-testid="meter-toggle"
      aria-expanded={isOpen}
      aria-controls="meter"
      onClick={onToggle}
    >
      Units <span className="figure">{count(spent)}</span>
    </button>
  )
}
