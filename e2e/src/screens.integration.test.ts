import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect } from 'vitest'
import { bindingNames } from '../../scripts/bindings.ts'
import type { Demo } from './demo/Demo.ts'
import { demoTest } from './demo/demoTest.ts'
import { findAxeViolations } from './demo/findAxeViolations.ts'
import { allScreens } from './demo/screens.ts'
import { getStack } from './getStack.ts'
import { documentedFolder, isUpdating, screenshotFolder } from './screenshots.ts'

const stack = await getStack()
const screens = await allScreens(stack)

const wide = { width: 1280, height: 800 }
const phone = { width: 360, height: 740 }
/** To which WCAG requires that pages reflow. */
const narrow = { width: 320, height: 740 }

describe.each(bindingNames)('each screen of %s', (framework) => {
  const it = demoTest(stack, framework)

  it.for(screens)(
    '$name: opens by its link, is accessible in both themes, and fits a narrow viewport, also with large texts',
    async ({ name, link, ready }, { demo }) => {
      const saveScreenshot = async (variant: string) => {
        const image = await demo.page.screenshot({
          path: path.join(screenshotFolder, `${framework}-${name}-${variant}.png`),
        })
        if (isUpdating && framework === 'react' && !variant.includes('phone')) {
          await writeFile(path.join(documentedFolder, `${name}-${variant}.png`), image)
        }
      }
      await demo.goto(await link())
      await ready(demo)
      await saveScreenshot('light')
      expect(await findAxeViolations(demo.page)).toEqual([])

      const overflow = () =>
        demo.page.evaluate(() => {
          const { scrollWidth, clientWidth } = document.documentElement
          return scrollWidth - clientWidth
        })
      await demo.page.setViewportSize(narrow)
      await expect.poll(overflow).toBeLessThanOrEqual(0)
      expect(await cutSortButtons(demo)).toEqual([])
      await demo.page.setViewportSize(phone)
      await expect.poll(overflow).toBeLessThanOrEqual(0)
      await setTextSize(demo, '200%')
      await expect.poll(overflow).toBeLessThanOrEqual(0)
      expect(await cutSymbols(demo)).toEqual([])
      await setTextSize(demo, '')
      await saveScreenshot('light-phone')
      expect(await findAxeViolations(demo.page)).toEqual([])

      // A theme changes only colours.
      await demo.page.emulateMedia({ colorScheme: 'dark' })
      await saveScreenshot('dark-phone')
      expect(await findAxeViolations(demo.page, ['color-contrast'])).toEqual([])
      await demo.page.setViewportSize(wide)
      await saveScreenshot('dark')
      expect(await findAxeViolations(demo.page, ['color-contrast'])).toEqual([])
    },
  )
})

/** Sets the size of texts, as the settings of a browser do. */
async function setTextSize({ page }: Demo, size: string): Promise<void> {
  await page.evaluate((value) => {
    document.documentElement.style.fontSize = value
  }, size)
}

/** The buttons that do not fit into the line of headings. */
async function cutSortButtons(demo: Demo): Promise<string[]> {
  return demo.byId('balances-sort').evaluateAll((buttons) =>
    buttons
      .filter((button) => {
        const line = button.closest('[role=row]')!.getBoundingClientRect()
        return button.getBoundingClientRect().right > line.right
      })
      .map((button) => button.textContent),
  )
}

/** The symbols of usual length that do not fit. */
async function cutSymbols(demo: Demo): Promise<string[]> {
  return demo.byId('token-link').evaluateAll((links) =>
    links
      .filter((link) => link.scrollWidth > link.clientWidth)
      .map((link) => link.textContent.trim())
      .filter(({ length }) => length <= 6),
  )
}
