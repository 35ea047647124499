import { BehaviorSubject } from 'rxjs'
import { isTheme, readSettings } from './readSettings.ts'
import type { Settings, Theme } from './Settings.ts'

const name = 'headwater-demo'

/** The settings of all visits. */
let stored = readSettings(load())
/** The theme in the URL (`?theme=dark`): not stored, and undefined once the user selects another one. */
let linkedTheme = readLinkedTheme()

/** The current settings. A theme in the URL applies to the current visit. */
export const settings$ = new BehaviorSubject(current())

// Another tab changed the settings.
globalThis.addEventListener?.('storage', ({ key, newValue }) => {
  if (key === name) {
    stored = readSettings(newValue)
    settings$.next(current())
  }
})

/** Changes settings, and stores them if storage is available. */
export function changeSettings(change: Partial<Settings>): void {
  stored = { ...stored, ...change }
  if (change.theme) {
    forgetLinkedTheme()
  }
  try {
    localStorage.setItem(name, JSON.stringify(stored))
  } catch {
    // Storage is disabled or full: the change lasts until the page is closed.
  }
  settings$.next(current())
}

function current(): Settings {
  return { ...stored, theme: linkedTheme ?? stored.theme }
}

function load(): string | null {
  try {
    return localStorage.getItem(name)
  } catch {
    return null
  }
}

function readLinkedTheme(): Theme | undefined {
  const theme = new URLSearchParams(globalThis.location?.search).get('theme')
  return isTheme(theme) ? theme : undefined
}

/** Removes the theme from the URL, because the user selected another one. */
function forgetLinkedTheme(): void {
  linkedTheme = undefined
  const url = new URL(location.href)
  if (!url.searchParams.has('theme')) {
    return
  }
  url.searchParams.delete('theme')
  history.replaceState(history.state, '', url)
}
