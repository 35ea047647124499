import path from 'node:path'
import type { Browser } from 'playwright-core'
import { test } from 'vitest'
import { launchChromium } from '@headwater/chromium'
import type { BindingName } from '../../../scripts/bindings.ts'
import { screenshotFolder } from '../screenshots.ts'
import type { StackInfo } from '../Stack.ts'
import { Demo } from './Demo.ts'

const browserTest = test.extend<{ browser: Browser }>({
  browser: [
    // eslint-disable-next-line no-empty-pattern -- Vitest parses the dependencies of a fixture from its parameter
    async ({}, use) => {
      const browser = await launchChromium()
      await use(browser)
      await browser.close()
    },
    { scope: 'worker' },
  ],
})

/**
 * A test with a demo in its own browser context. After each test, the page must have no errors and no layout shifts. Saves a
 * screenshot of failed tests.
 */
export function demoTest(stack: StackInfo, framework: BindingName) {
  return browserTest.extend<{ demo: Demo }>({
    demo: async ({ browser, task }, use) => {
      const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
      const demo = await Demo.open(context, stack.urls[framework])
      const file = `${framework} ${task.name}`.replace(/[^\w]+/g, '-')
      await use(demo)
      try {
        await demo.expectNoErrorsOrShifts()
      } catch (error) {
        task.result!.state = 'fail'
        throw error
      } finally {
        if (task.result?.state === 'fail') {
          await demo.page.screenshot({ path: path.join(screenshotFolder, 'failed', `${file}.png`) })
        }
        await context.close()
      }
    },
  })
}
