import { changeSettings, locales, settings$ } from '@headwater/demo-kit'
import { useValue } from '../hooks/useValue.ts'

/** How numbers and times are written. Prices are in USD in any case: the service tells no other. */
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
