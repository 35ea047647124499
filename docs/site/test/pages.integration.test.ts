import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import axe from 'axe-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Site } from './Site.ts'

let site: Site
beforeAll(async () => {
  site = await Site.open()
})
afterAll(() => site?.close())

const folder = path.join(import.meta.dirname, '..')
const screenshots = path.join(folder, '../screenshots/site')
const poll = { timeout: 30_000 }

/** One page of each kind. */
const pages = {
  home: '',
  start: 'start/react.html',
  guide: 'guides/wallet-page.html',
  concept: 'concepts/data-flow.html',
  api: 'reference/http.html',
}

const views = {
  light: { viewport: { width: 1280, height: 800 } },
  dark: { viewport: { width: 1280, height: 800 }, colorScheme: 'dark' },
  mobile: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
} as const

describe.concurrent.each(Object.entries(views))('in the view %s', (view, options) => {
  it.each(Object.entries(pages))('the page %s is accessible and complete', async (name, file) => {
    const { page, requests, messages } = await site.visit(file, options)
    await page.evaluate(axe.source)
    const violations = await page.evaluate(async () => {
      const { violations } = await (window as unknown as { axe: typeof axe }).axe.run({
        resultTypes: ['violations'],
      })
      return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))
    })
    expect(violations).toEqual([])
    const widths = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth])
    expect(widths[0]).toBeLessThanOrEqual(widths[1]!)
    expect(requests.filter((url) => !url.startsWith(site.url) && !url.startsWith('data:'))).toEqual(
      [],
    )
    expect(messages).toEqual([])
    if (process.env.SCREENSHOTS) {
      await page.screenshot({ path: path.join(screenshots, `${name}-${view}.png`) })
    }
    await page.context().close()
  })
})

it.each(['light', 'dark'] as const)('has the accent of the demos, %s', async (colorScheme) => {
  const tokens = path.join(folder, '../../apps/demo-kit/styles/tokens.css')
  const accent = /--accent: light-dark\((?<light>#\w+), (?<dark>#\w+)\)/
  const { page } = await site.visit('', { colorScheme })
  const color = await page
    .locator('html')
    .evaluate((root) => getComputedStyle(root).getPropertyValue('--vp-c-brand-1'))
  expect(color).toBe(accent.exec(readFileSync(tokens, 'utf8'))!.groups![colorScheme])
  await page.context().close()
})

it('leads on from a URL without a page', async () => {
  const { page } = await site.visit('404.html', views.mobile)
  await page.getByText('Search for its subject, or choose a section in the menu.').waitFor()
  await page.getByRole('link', { name: 'Open the start page' }).click()
  await page.getByRole('heading', { level: 1, name: 'Live onchain data for your app' }).waitFor()
  await page.context().close()
})

it('loads at most 190 kB of script for a page, not compressed', async () => {
  const dist = path.join(folder, 'dist')
  const sizes = globSync('**/*.html', { cwd: dist, exclude: ['playground/**'] }).map((file) => {
    const html = readFileSync(path.join(dist, file), 'utf8')
    const scripts = [
      ...html.matchAll(/<(?:script type="module" src|link rel="modulepreload" href)="\/([^"]+)"/g),
    ]
    const bytes = scripts.map(([, script]) => readFileSync(path.join(dist, script!)).length)
    return { file, size: bytes.reduce((sum, each) => sum + each, 0) }
  })
  const [largest] = sizes.sort((a, b) => b.size - a.size)
  // What the browser really loads, with the chunks that no tag names.
  const measured: Record<string, number> = {}
  for (const file of [largest!.file, 'playgrounds/react.html', 'index.html']) {
    const { page } = await site.visit(file)
    measured[file] = await page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .filter(({ name }) => name.endsWith('.js'))
        .reduce((sum, entry) => sum + (entry as PerformanceResourceTiming).decodedBodySize, 0),
    )
    await page.context().close()
  }
  console.log(`script of a page, in bytes: ${JSON.stringify(measured)}; ${sizes.length} pages`)
  expect(sizes.length).toBeGreaterThan(100)
  expect(largest!.size).toBeGreaterThan(50_000)
  expect(Math.max(largest!.size, ...Object.values(measured))).toBeLessThanOrEqual(190_000)
})

it('finds pages without a service', async () => {
  const { page, requests } = await site.visit('')
  await page.keyboard.press('Control+k')
  await page.getByRole('searchbox').fill('low liquidity')
  const results = page.getByRole('listbox').getByRole('option')
  await expect.poll(() => results.count(), poll).toBeGreaterThan(0)
  await page.getByRole('listbox').getByText('A wallet page').first().click()
  await page.waitForURL(/guides\/wallet-page/)
  expect(requests.filter((url) => !url.startsWith(site.url) && !url.startsWith('data:'))).toEqual(
    [],
  )
  await page.context().close()
})

it('keeps the choice of a framework for all groups, pages and visits', async () => {
  const { page, messages } = await site.visit('guides/wallet-page.html')
  const shown = () => page.locator('.vp-code-group .blocks > .active').first().innerText()
  expect(await shown()).toContain('@headwater/react')
  await page.locator('.vp-code-group label', { hasText: 'Svelte' }).first().click()
  await expect.poll(shown, poll).toContain('@headwater/svelte')
  await page.goto(`${site.url}guides/live-prices.html`)
  await expect.poll(shown, poll).toContain('@headwater/svelte')
  await page.locator('.VPSidebar').getByRole('link', { name: 'NFTs' }).click()
  await page.waitForURL(/nfts/)
  await expect.poll(shown, poll).toContain('@headwater/svelte')
  expect(messages).toEqual([])
  await page.context().close()
})

it('is readable without JavaScript', async () => {
  const { page } = await site.visit('guides/wallet-page.html', { javaScriptEnabled: false })
  const blocks = page.locator('.vp-code-group .blocks > div')
  expect(await blocks.count()).toBeGreaterThanOrEqual(3)
  for (const block of await blocks.all()) {
    expect(await block.isVisible()).toBe(true)
  }
  expect(await page.getByRole('button', { name: 'Search' }).isVisible()).toBe(false)
  await page.getByRole('link', { name: 'Live prices' }).first().click()
  await page.waitForURL(/live-prices/)
  expect(await page.locator('h1').innerText()).toContain('Live prices')
  await page.goto(`${site.url}playgrounds/react.html`)
  expect(await page.locator('pre').first().innerText()).toContain('useBalances')
  await page.context().close()
})
