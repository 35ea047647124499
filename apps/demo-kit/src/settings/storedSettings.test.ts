import { afterEach, beforeEach, expect, test, vi } from 'vitest'

const name = 'headwater-demo'
const stored = new Map<string, string>()

beforeEach(() => {
  stored.clear()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, text: string) => void stored.set(key, text),
  })
})
afterEach(() => vi.unstubAllGlobals())

test('a theme in the URL applies to its tab and is not stored', async () => {
  stored.set(name, JSON.stringify({ theme: 'light' }))
  const { settings$, changeSettings } = await openTab('?theme=dark')
  expect(settings$.value.theme).toBe('dark')
  changeSettings({ hidesSmall: true })
  expect(settings$.value).toMatchObject({ theme: 'dark', hidesSmall: true })
  expect(storedSettings()).toMatchObject({ theme: 'light', hidesSmall: true })
})

test('a change in another tab keeps the theme in the URL', async () => {
  const { settings$, storeInOtherTab } = await openTab('?theme=dark')
  storeInOtherTab({ theme: 'light', hidesSpam: true })
  expect(settings$.value).toMatchObject({ theme: 'dark', hidesSpam: true })
})

test('a selected theme is stored and replaces that in the URL', async () => {
  const { settings$, changeSettings, storeInOtherTab } = await openTab('?theme=dark&chains=1')
  changeSettings({ theme: 'light' })
  expect(settings$.value.theme).toBe('light')
  expect(storedSettings()).toMatchObject({ theme: 'light' })
  expect(location.search).toBe('?chains=1')
  storeInOtherTab({ theme: 'system' })
  expect(settings$.value.theme).toBe('system')
})

/** Loads the module as the page of a new tab does. */
async function openTab(search: string) {
  const tab = new EventTarget()
  vi.stubGlobal('addEventListener', tab.addEventListener.bind(tab))
  vi.stubGlobal('location', new URL(search, 'http://127.0.0.1'))
  vi.stubGlobal('history', {
    state: null,
    replaceState: (_state: null, _title: string, url: URL) => vi.stubGlobal('location', url),
  })
  vi.resetModules()
  const storeInOtherTab = (settings: object) => {
    const newValue = JSON.stringify(settings)
    stored.set(name, newValue)
    tab.dispatchEvent(Object.assign(new Event('storage'), { key: name, newValue }))
  }
  return { ...(await import('./storedSettings.ts')), storeInOtherTab }
}

function storedSettings(): unknown {
  return JSON.parse(stored.get(name) ?? 'null')
}
