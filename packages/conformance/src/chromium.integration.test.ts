// @vitest-environment node
import { fileURLToPath } from 'node:url'

import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe } from 'vitest'

import { buildPage } from './chromium/buildPage.ts'
import { launchChromium } from './chromium/launchChromium.ts'
import { testScenarios } from './testScenarios.ts'

/** Nobody answers here: the page comes out of memory. */
const url = 'http://conformance.test/'

let browser: Browser
beforeAll(async () => {
  browser = await launchChromium()
})
afterAll(() => browser?.close())

describe.each(['react', 'vue', 'svelte', 'svelte-runes'])('%s', (framework) => {
  let page: Page
  beforeAll(async () => {
    const script = await buildPage(fileURLToPath(new URL(`${framework}/page.ts`, import.meta.url)))
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
    await page.waitForFunction('typeof playScenario === "function"')
  })
  afterAll(() => page?.close())

  testScenarios(framework, 'chromium', async ({ name }) => {
    const failure = await page.evaluate<string | undefined>(`playScenario(${JSON.stringify(name)})`)
    if (failure !== undefined) throw new Error(failure)
  })
})
