import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { launchChromium } from '@headwater/chromium'
import { bindingNames } from '../../scripts/bindings.ts'
import { complaintsOfAxe } from './demo/complaintsOfAxe.ts'
import { useStack } from './useStack.ts'

const stack = await useStack()

let browser: Browser
let page: Page
const complaints: string[] = []

beforeAll(async () => {
  browser = await launchChromium()
  page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error') {
      complaints.push(message.text())
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

it('shows the same screen of each side by side, and another one by its tab', async () => {
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

it('shows one at a time on a phone, in both themes without a complaint', async () => {
  await page.setViewportSize({ width: 360, height: 740 })
  await page.getByRole('button', { name: 'Svelte' }).click()
  expect(await page.locator('.source:visible figcaption').allInnerTexts()).toEqual([
    expect.stringContaining('Meter.svelte'),
  ])
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0)
  expect(await complaintsOfAxe(page)).toEqual([])
  await page.emulateMedia({ colorScheme: 'dark' })
  expect(await complaintsOfAxe(page, ['color-contrast'])).toEqual([])
  expect(complaints).toEqual([])
})
