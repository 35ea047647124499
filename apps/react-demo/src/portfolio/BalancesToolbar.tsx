import { changeSettings, settings$, tokensText } from '@headwater/demo-kit'
import { useFormats } from '../hooks/useFormats.ts'
import { useValue } from '../hooks/useValue.ts'

interface BalancesToolbarProps {
  search: string
  onSearch: (search: string) => void
  /** Number of shown tokens and number of all tokens. */
  shown: number
  all: number
}

/** Search and filters of the balances. */
export function BalancesToolbar({ search, onSearch, shown, all }: BalancesToolbarProps) {
  const { hidesSmall, hidesSpam } = useValue(settings$)
  const formats = useFormats()
  return (
    <div className="toolbar">
      <input
        type="search"
        data-testid="balances-search"
        aria-label="Search tokens"
        placeholder="Search tokens"
        value={search}
        onChange={(event) => onSearch(event.target.value)}
      />
      <label className="check">
        <input
          type="checkbox"
          data-testid="hide-small"
          checked={hidesSmall}
          onChange={(event) => changeSettings({ hidesSmall: event.target.checked })}
        />
        Hide small
      </label>
      <label className="check">
        <input
          type="checkbox"
          data-testid="hide-spam"
          checked={hidesSpam}
          onChange={(event) => changeSettings({ hidesSpam: event.target.checked })}
        />
        Hide spam
      </label>
      <p className="count" role="status">
        {tokensText(all, formats, shown)}
      </p>
    </div>
  )
}
