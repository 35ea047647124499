import {
  connectionText,
  type Link,
  operationText,
  settings$,
  unitsInLastMinute,
} from '@headwater/demo-kit'
import { useClient, useSnapshot, useUsage } from '@headwater/react'
import { useFormats } from '../hooks/useFormats.ts'
import { useNow } from '../hooks/useNow.ts'
import { useValue } from '../hooks/useValue.ts'
import { BudgetSlider } from './BudgetSlider.tsx'
import { StreamList } from './StreamList.tsx'

/** Compute units that the page spends, in total and by operation. */
export function Meter({ link }: { link: Link }) {
  const usage = useUsage()
  const { count } = useFormats()
  const { budget } = useValue(settings$)
  const rate = unitsInLastMinute(usage, useNow(2000))
  const connection = useSnapshot(useClient().connection$)
  const operations = Object.entries(usage.byOperation)

  return (
    <aside className="meter" id="meter" data-testid="meter" aria-label="Compute units">
      <h2>Compute units</h2>
      <dl className="figures three">
        <div>
          <dt>Spent</dt>
          <dd data-testid="meter-spent">{count(usage.spent)}</dd>
        </div>
        <div>
          <dt>Per minute</dt>
          <dd data-testid="meter-rate">{count(rate)}</dd>
        </div>
        <div>
          <dt>Remaining for the key</dt>
          <dd data-testid="meter-remaining">{count(usage.remaining)}</dd>
        </div>
      </dl>
      <BudgetSlider budget={budget} />
      <p className="muted" data-testid="meter-connection" data-state={connection}>
        {connectionText(connection)}
      </p>
      <h3>By operation</h3>
      <ul className="lines">
        {operations.map(([name, units]) => (
          <li key={name} data-testid="meter-operation" data-operation={name}>
            <span>{operationText(name)}</span>
            <span className="figure">{count(units)}</span>
          </li>
        ))}
      </ul>
      <h3>On this screen</h3>
      <StreamList link={link} />
    </aside>
  )
}
