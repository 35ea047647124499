import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { launchChromium } from '@headwater/chromium'
import { bindingNames } from '../../scripts/bindings.ts'
import { findAxeViolations } from './demo/findAxeViolations.ts'
import { getStack } from './getStack.ts'

const stack = await getStack()

let browser: Browser
let page: Page
const pageErrors: string[] = []

beforeAll(async () => {
  browser = await launchChromium()
  page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  page.on('pageerror', (error) => pageErrors.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error') {
      pageErrors.push(message.text())
    }
  })
  await page.goto(stack.urls.landing)
})
afterAll(() => browser.close())

it('links the three demos', async () => {
  for (const framework of bindingNames) {
    const link = page.getByTestId(`demo-${framework}`)
    await expect.poll(() => link.getAttribute('href')).toBe(stack.urls[framework])
    expect((await fetch(stack.urls[framework])).status).toBe(200)
  }
  expect(await page.getByRole('alert').count()).toBe(0)
})

it('shows the same screen of each demo side by side, and another one by its tab', async () => {
  const sources = page.locator('.source:visible')
  expect(await sources.count()).toBe(3)
  expect(await sources.locator('code').allInnerTexts()).toEqual([
    expect.stringContaining('useBalances('),
    expect.stringContaining('useBalances('),
    expect.stringContaining('createBalances('),
  ])
  await page.getByRole('tab', { name: 'Portfolio' }).focus()
  await page.keyboard.press('End')
  expect(await page.locator(':focus').innerText()).toBe('Meter')
  expect(await sources.locator('figcaption span').allInnerTexts()).toEqual([
    'meter/Meter.tsx',
    'meter/Meter.vue',
    'meter/Meter.svelte',
  ])
})

it('shows one source at a time on a phone, and is accessible in both themes', async () => {
  await page.setViewportSize({ width: 360, height: 740 })
  const sources = page.locator('.source:visible figcaption')
  await expect.poll(() => sources.count()).toBe(1)
  await page.getByRole('button', { name: 'Svelte' }).click()
  await expect
    .poll(() => sources.allInnerTexts())
    .toEqual([expect.stringContaining('Meter.svelte')])
  await expect
    .poll(() => page.evaluate(() => document.documentElement.scrollWidth - innerWidth))
    .toBe(0)
  expect(await findAxeViolations(page)).toEqual([])
  await page.emulateMedia({ colorScheme: 'dark' })
  expect(await findAxeViolations(page, ['color-contrast'])).toEqual([])
  expect(pageErrors).toEqual([])
})
