import { BehaviorSubject } from 'rxjs'
import { isTheme, readSettings } from './readSettings.ts'
import type { Settings } from './Settings.ts'

const name = 'headwater-demo'

/** The current settings. A theme in the URL (`?theme=dark`) applies to the current visit. */
export const settings$ = new BehaviorSubject(withLinkedTheme(readSettings(load())))

// Another tab changed the settings.
globalThis.addEventListener?.('storage', ({ key, newValue }) => {
  if (key === name) {
    settings$.next(readSettings(newValue))
  }
})

/** Changes settings, and stores them if storage is available. */
export function changeSettings(change: Partial<Settings>): void {
  const settings = { ...settings$.value, ...change }
  if (change.theme) {
    forgetLinkedTheme()
  }
  try {
    localStorage.setItem(name, JSON.stringify(settings))
  } catch {
    // Storage is disabled or full: the change lasts until the page is closed.
  }
  settings$.next(settings)
}

function load(): string | null {
  try {
    return localStorage.getItem(name)
  } catch {
    return null
  }
}

function withLinkedTheme(settings: Settings): Settings {
  const theme = new URLSearchParams(globalThis.location?.search).get('theme')
  return isTheme(theme) ? { ...settings, theme } : settings
}

/** Removes the theme from the URL, because the user selected another one. */
function forgetLinkedTheme(): void {
  const url = new URL(location.href)
  if (!url.searchParams.has('theme')) {
    return
  }
  url.searchParams.delete('theme')
  history.replaceState(history.state, '', url)
}
