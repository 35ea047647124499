import type { Theme } from './Settings.ts'
import { settings$ } from './storedSettings.ts'

/** Applies the theme of the settings to the document, now and on each change. */
export function followTheme(): void {
  settings$.subscribe(({ theme }) => {
    if (theme === 'system') {
      delete document.documentElement.dataset.theme
    } else {
      document.documentElement.dataset.theme = theme
    }
  })
}

/** Whether a theme is dark on this system. */
export function isDark(theme: Theme): boolean {
  return theme === 'system' ? matchMedia('(prefers-color-scheme: dark)').matches : theme === 'dark'
}

/** The opposite theme; `system` if the system has it. */
export function otherTheme(theme: Theme): Theme {
  const other = isDark(theme) ? 'light' : 'dark'
  return isDark('system') === (other === 'dark') ? 'system' : other
}
