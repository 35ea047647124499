import path from 'node:path'
import type { Browser } from 'playwright-core'
import { test } from 'vitest'
import { launchChromium } from '@headwater/chromium'
import type { BindingName } from '../../../scripts/bindings.ts'
import { screenshotFolder } from '../screenshots.ts'
import type { StackInfo } from '../Stack.ts'
import { Demo } from './Demo.ts'
import { describePage } from './describePage.ts'

declare module 'vitest' {
  interface TaskMeta {
    /** The state of the page of a failed test. */
    page?: string
  }
}

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
 * A test with a demo in its own browser context. After each test, the page must have no errors and no layout shifts. Reports the
 * state of the page of failed tests, and saves a screenshot.
 */
export function demoTest(stack: StackInfo, framework: BindingName) {
  return browserTest.extend<{ demo: Demo }>({
    demo: async ({ browser, task }, use) => {
      const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
      const demo = await Demo.open(context, stack.urls[framework])
      await use(demo)
      const report = async () => {
        task.meta.page = await describePage(demo)
        await saveScreenshot(demo, `${framework} ${task.name}`)
      }
      try {
        if (task.result?.state === 'fail') {
          await report()
        } else {
          await demo.expectNoErrorsOrShifts().catch(async (error: unknown) => {
            await report()
            throw error
          })
        }
      } finally {
        await context.close()
      }
    },
  })
}

/** Prints instead of throwing: the failure of the test is the error. */
async function saveScreenshot(demo: Demo, name: string): Promise<void> {
  const file = path.join(screenshotFolder, 'failed', `${name.replace(/[^\w]+/g, '-')}.png`)
  await demo.page.screenshot({ path: file, timeout: 20_000 }).catch((error: unknown) => {
    console.error(`No screenshot: ${String(error)}`)
  })
}
