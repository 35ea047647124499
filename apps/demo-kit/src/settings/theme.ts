import type { Theme } from './Settings.ts'
import { settings$ } from './storedSettings.ts'

/** Lets the page look as the settings say, from now on. */
export function followTheme(): void {
  settings$.subscribe(({ theme }) => {
    if (theme === 'system') {
      delete document.documentElement.dataset.theme
    } else {
      document.documentElement.dataset.theme = theme
    }
  })
}

/** Whether a theme looks dark here. */
export function isDark(theme: Theme): boolean {
  return theme === 'system' ? matchMedia('(prefers-color-scheme: dark)').matches : theme === 'dark'
}

/** The theme that looks the other way; the system's, where that does. */
export function otherTheme(theme: Theme): Theme {
  const other = isDark(theme) ? 'light' : 'dark'
  return isDark('system') === (other === 'dark') ? 'system' : other
}
