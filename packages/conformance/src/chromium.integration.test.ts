// @vitest-environment node
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe } from 'vitest'
import { launchChromium } from '@headwater/chromium'
import { buildPage } from './chromium/buildPage.ts'
import { testScenarios } from './testScenarios.ts'

/** Intercepted: the page is served from memory. */
const url = 'http://conformance.test/'

/** The columns: the folder of the page, and aliases of packages. */
const frameworks = [
  { framework: 'react', folder: 'react' },
  {
    // The oldest supported version.
    framework: 'react-18',
    folder: 'react',
    alias: { react: locate('react-18'), 'react-dom': locate('react-dom-18') },
  },
  { framework: 'vue', folder: 'vue' },
  { framework: 'svelte', folder: 'svelte' },
  { framework: 'svelte-runes', folder: 'svelte-runes' },
]

/** The folder of a package. */
function locate(name: string): string {
  return path.dirname(fileURLToPath(import.meta.resolve(`${name}/package.json`)))
}

let browser: Browser
beforeAll(async () => {
  browser = await launchChromium()
})
afterAll(() => browser?.close())

describe.each(frameworks)('$framework', ({ framework, folder, alias }) => {
  let page: Page
  beforeAll(async () => {
    const script = await buildPage(
      fileURLToPath(new URL(`${folder}/page.ts`, import.meta.url)),
      alias,
    )
    page = await browser.newPage()
    await page.route(`${url}**`, (route) =>
      route.request().url() === `${url}page.js`
        ? route.fulfill({ contentType: 'text/javascript', body: script })
        : route.fulfill({
            contentType: 'text/html',
            body: '<!doctype html><body><script type="module" src="/page.js"></script>',
          }),
    )
    await page.goto(url)
    await page.waitForFunction('typeof runScenario === "function"')
  })
  afterAll(() => page?.close())

  testScenarios(framework, 'chromium', async ({ name }) => {
    const failure = await page.evaluate<string | undefined>(`runScenario(${JSON.stringify(name)})`)
    if (failure !== undefined) {
      throw new Error(failure)
    }
  })
})
