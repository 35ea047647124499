import { afterEach, expect, it, vi } from 'vitest'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.resetModules()
})

it('is offline in a page that is opened offline, until there is a network', async () => {
  const events = new EventTarget()
  const navigator = { onLine: false }
  vi.stubGlobal('navigator', navigator)
  vi.stubGlobal('addEventListener', events.addEventListener.bind(events))
  const { isOnline$ } = await import('./isOnline.ts')
  expect(isOnline$.value).toBe(false)
  navigator.onLine = true
  events.dispatchEvent(new Event('online'))
  expect(isOnline$.value).toBe(true)
})

it('is offline while the client does not poll', async () => {
  const { isOnline$ } = await import('./isOnline.ts')
  const { onlineManager } = await import('@tanstack/query-core')
  onlineManager.setOnline(false)
  expect(isOnline$.value).toBe(false)
  onlineManager.setOnline(true)
  expect(isOnline$.value).toBe(true)
})
