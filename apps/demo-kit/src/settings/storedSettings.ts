import { BehaviorSubject } from 'rxjs'
import { isTheme, readSettings } from './readSettings.ts'
import type { Settings } from './Settings.ts'

const name = 'headwater-demo'

/** What the reader chose. A theme in the page's address (`?theme=dark`) counts for this visit. */
export const settings$ = new BehaviorSubject(withLinkedTheme(readSettings(load())))

// Another tab of this page may have changed them.
globalThis.addEventListener?.('storage', ({ key, newValue }) => {
  if (key === name) {
    settings$.next(readSettings(newValue))
  }
})

/** Changes some of them, and keeps them where the browser lets us. */
export function changeSettings(change: Partial<Settings>): void {
  const settings = { ...settings$.value, ...change }
  if (change.theme) {
    forgetLinkedTheme()
  }
  try {
    localStorage.setItem(name, JSON.stringify(settings))
  } catch {
    // Storage is off or full: they last as long as this page.
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

/** The reader chose another one since. */
function forgetLinkedTheme(): void {
  const url = new URL(location.href)
  if (!url.searchParams.has('theme')) {
    return
  }
  url.searchParams.delete('theme')
  history.replaceState(history.state, '', url)
}
