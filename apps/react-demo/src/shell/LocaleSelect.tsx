import { changeSettings, locales, settings$ } from '@headwater/demo-kit'
import { useValue } from '../hooks/useValue.ts'

/** Selects the number and time formats. Prices are always in USD, the only currency of the service. */
export function LocaleSelect() {
  const { locale } = useValue(settings$)
  return (
    <select
      aria-label="Number format, in USD"
      data-testid="settings-locale"
      value={locale}
      onChange={(event) => changeSettings({ locale: event.target.value })}
    >
      {locales.map(({ tag, name }) => (
        <option key={tag} value={tag}>
          USD · {name}
        </option>
      ))}
    </select>
  )
}
