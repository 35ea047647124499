import { changeSettings, isDark, otherTheme, settings$ } from '@headwater/demo-kit'
import { useMedia } from '../hooks/useMedia.ts'
import { useValue } from '../hooks/useValue.ts'

export function ThemeToggle() {
  const { theme } = useValue(settings$)
  useMedia('(prefers-color-scheme: dark)')
  const isNowDark = isDark(theme)
  return (
    <button
      type="button"
      className="icon"
      data-testid="theme-toggle"
      aria-label={isNowDark ? 'Use the light theme' : 'Use the dark theme'}
      onClick={() => changeSettings({ theme: otherTheme(theme) })}
    >
      <svg viewBox="0 0 24 24" aria-hidden="true">
        {isNowDark ? (
          <path d="M12 4V2m0 20v-2M4 12H2m20 0h-2M6.3 6.3 4.9 4.9m14.2 14.2-1.4-1.4m0-11.4 1.4-1.4M4.9 19.1l1.4-1.4M16 12a4 4 0 1 1-8 0 4 4 0 0 1 8 0Z" />
        ) : (
          <path d="M20 14.5A8 8 0 0 1 9.5 4 8 8 0 1 0 20 14.5Z" />
        )}
      </svg>
    </button>
  )
}
