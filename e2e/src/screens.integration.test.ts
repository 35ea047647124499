import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect } from 'vitest'
import { bindingNames } from '../../scripts/bindings.ts'
import { complaintsOfAxe } from './demo/complaintsOfAxe.ts'
import { demoTest } from './demo/demoTest.ts'
import { patience } from './demo/patience.ts'
import { allScreens } from './demo/screens.ts'
import { documentedFolder, isUpdating, screenshotFolder } from './screenshots.ts'
import { useStack } from './useStack.ts'

const stack = await useStack()
const screens = await allScreens(stack)

const wide = { width: 1280, height: 800 }
const phone = { width: 360, height: 740 }

describe.each(bindingNames)('each screen of %s', (framework) => {
  const it = demoTest(stack, framework)

  it.for(screens)(
    '$name: opens by its link, is accessible in both themes, and fits a phone',
    async ({ name, place, ready }, { demo }) => {
      const keepPicture = async (variant: string) => {
        const picture = await demo.page.screenshot({
          path: path.join(screenshotFolder, `${framework}-${name}-${variant}.png`),
        })
        if (isUpdating && framework === 'react' && !variant.includes('phone')) {
          await writeFile(path.join(documentedFolder, `${name}-${variant}.png`), picture)
        }
      }
      await demo.goto(await place())
      await ready(demo)
      await keepPicture('light')
      expect(await complaintsOfAxe(demo.page)).toEqual([])

      await demo.page.setViewportSize(phone)
      const overflow = () =>
        demo.page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      await expect.poll(overflow, patience).toBeLessThanOrEqual(0)
      await keepPicture('light-phone')
      expect(await complaintsOfAxe(demo.page)).toEqual([])

      // Of a theme nothing but colours can be wrong.
      await demo.page.emulateMedia({ colorScheme: 'dark' })
      await keepPicture('dark-phone')
      expect(await complaintsOfAxe(demo.page, ['color-contrast'])).toEqual([])
      await demo.page.setViewportSize(wide)
      await keepPicture('dark')
      expect(await complaintsOfAxe(demo.page, ['color-contrast'])).toEqual([])
    },
  )
})
