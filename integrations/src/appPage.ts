import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { expect } from 'vitest'

/** A page with the requests that its scripts send and the errors and warnings of its console. */
export interface AppPage {
  readonly page: Page
  /** All but those of the framework, which fetch code and, to navigate, pages as data. */
  readonly requests: readonly string[]
  readonly messages: readonly string[]
}

/** Requests of Next.js, SvelteKit and Nuxt for pages as data and for code. */
const ofFramework = /[?&]_rsc=|\/_next\/|\/__data\.json|\/_app\/|\/_nuxt\//
const ofDocument = ['document', 'script', 'stylesheet', 'font']

/** Opens a page in a context of its own. `wasPending` in the page is whether a component ever was without data. */
export async function openPage(browser: Browser): Promise<AppPage> {
  const context = await browser.newContext({ locale: 'de-CH' })
  const page = await context.newPage()
  const requests: string[] = []
  page.on('request', (request) => {
    if (!ofDocument.includes(request.resourceType()) && !ofFramework.test(request.url())) {
      requests.push(request.url())
    }
  })
  const messages: string[] = []
  page.on('pageerror', (error) => messages.push(error.message))
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) {
      messages.push(message.text())
    }
  })
  await page.addInitScript(() => {
    const state = globalThis as unknown as { wasPending: boolean }
    state.wasPending = false
    new MutationObserver(() => {
      state.wasPending ||= document.body?.textContent.includes('Loading …') ?? false
    }).observe(document, { childList: true, subtree: true, characterData: true })
  })
  return { page, requests, messages }
}

/** Expects that no file that browsers load contains a secret. */
export async function expectNoSecrets(
  folders: readonly string[],
  secrets: readonly string[],
): Promise<void> {
  let count = 0
  for (const folder of folders) {
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
      if (entry.isFile()) {
        const text = await readFile(path.join(entry.parentPath, entry.name), 'utf8')
        expect(secrets.filter((secret) => text.includes(secret))).toEqual([])
        count++
      }
    }
  }
  expect(count).toBeGreaterThan(0)
}
