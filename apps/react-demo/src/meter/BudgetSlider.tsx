import { budgets, changeSettings } from '@headwater/demo-kit'
import { useFormats } from '../hooks/useFormats.ts'

/** Units per minute that the page may spend. A lower budget slows the polls down. */
export function BudgetSlider({ budget }: { budget: number | null }) {
  const { count } = useFormats()
  const text = budget === null ? 'no limit' : `${count(budget)} a minute`
  const step = budgets.findIndex((each) => each === budget)
  return (
    <div className="budget">
      <label htmlFor="budget">Budget</label>
      <output htmlFor="budget">{text}</output>
      <input
        id="budget"
        type="range"
        data-testid="budget-slider"
        min={0}
        max={budgets.length - 1}
        value={step}
        aria-valuetext={text}
        onChange={(event) =>
          changeSettings({ budget: budgets[Number(event.target.value)] ?? null })
        }
      />
      <p className="muted">Polling slows down to stay within the budget.</p>
    </div>
  )
}
