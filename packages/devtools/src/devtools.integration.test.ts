// @vitest-environment node
// The devtools in Chromium, with a fake service in the page.
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import axe from 'axe-core'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { launchChromium } from '@headwater/chromium'
import type { Client } from '@headwater/core'
import type { FakeService } from '@headwater/testing'
import { buildPage } from '../test/buildPage.ts'

declare global {
  interface Window {
    service: FakeService
    client: Client
    unmount: () => void
    keys: string[]
  }
}

/** Intercepted: the page is served from memory. */
const url = 'http://localhost/'
/** Like that of the demos: no inline styles, and no requests. */
const policy = "default-src 'none'; script-src 'self'; style-src 'self'"

let browser: Browser
let files: ReadonlyMap<string, string>
beforeAll(async () => {
  files = await buildPage(fileURLToPath(new URL('../test/page.ts', import.meta.url)))
  browser = await launchChromium()
})
afterAll(() => browser?.close())

let page: Page
const errors: string[] = []
const requested: string[] = []
afterEach(async () => {
  await page?.context().close()
  expect(errors.splice(0)).toEqual([])
})

const byId = (testId: string) => page.getByTestId(testId)

/** Opens the page. */
async function open(query = '', options: { readonly policy?: string } = { policy }) {
  const context = await browser.newContext({
    viewport: { width: 1000, height: 700 },
    // TanStack's devtools reject that of a system without one.
    locale: 'en-US',
  })
  page = await context.newPage()
  page.setDefaultTimeout(30_000)
  page.on('pageerror', (error) => errors.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error') {
      errors.push(message.text())
    }
  })
  requested.length = 0
  await context.route('**/*', (route) => {
    const { pathname } = new URL(route.request().url())
    requested.push(route.request().url())
    const script = files.get(pathname.slice(1))
    return route.fulfill(
      script === undefined
        ? {
            contentType: 'text/html',
            headers: options.policy ? { 'content-security-policy': options.policy } : {},
            body: `<!doctype html><html lang="en"><title>Wallet</title><main><h1>Wallet</h1><input aria-label="Address" autofocus><p id="output"></p></main><div id="tanstack"></div><script type="module" src="/page.js"></script></html>`,
          }
        : { contentType: 'text/javascript', body: script },
    )
  })
  await page.goto(url + query)
  await page.waitForFunction(() => document.getElementById('output')?.textContent !== '')
}

/** What axe finds, in the devtools or on the whole page. */
async function findViolations(selector = 'headwater-devtools') {
  await page.evaluate(axe.source)
  const { violations } = await page.evaluate(
    (context) =>
      (window as unknown as { axe: typeof axe }).axe.run(context, { resultTypes: ['violations'] }),
    selector,
  )
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))
}

it('shows streams, requests, units and prices as the service counts them', async () => {
  await open()
  await page.keyboard.press('Alt+Shift+H')
  const streams = byId('devtools-stream')
  await expect.poll(() => streams.count()).toBe(3)
  const balances = streams.filter({ hasText: 'balances' })
  expect(await balances.innerText()).toMatch(/success.*interval|request in flight/s)
  expect(await balances.locator('td').nth(5).innerText()).toBe('120')
  expect(await balances.locator('td').nth(6).innerText()).toBe('1')
  await balances.getByRole('button').click()
  await expect
    .poll(() => page.getByRole('group', { name: 'Snapshot' }).innerText())
    .toContain('"amount"')

  const difference = () =>
    page.evaluate(() => {
      const root = document.querySelector('headwater-devtools')!.shadowRoot!
      const shown = root.querySelector('[data-testid=devtools-units]')!.textContent!.trim()
      return Number(shown.replaceAll(',', '')) - window.service.units
    })
  await expect.poll(difference).toBe(0)

  await byId('devtools-tab-requests').click()
  const request = byId('devtools-request').filter({ hasText: 'balances' }).first()
  await expect.poll(() => request.innerText()).toMatch(/200 success/)
  await request.getByRole('button').click()
  const headers = page.getByRole('group', { name: 'Headers of the response' })
  await expect.poll(() => headers.innerText()).toContain('x-compute-units-cost: 1')

  await byId('devtools-tab-budget').click()
  await expect.poll(() => page.getByRole('table').first().innerText()).toContain('Spent')
  await byId('devtools-tab-prices').click()
  const native = byId('devtools-price').filter({ hasText: '1/native' })
  await expect.poll(() => native.innerText()).toContain('balances')
  // Only its own scripts: no fonts, no images, no telemetry.
  expect(requested.every((each) => each.startsWith(url))).toBe(true)
})

it('injects faults that the app shows, and removes them', async () => {
  await open()
  const output = () => page.locator('#output').innerText()
  await expect.poll(output).toMatch(/^success/)
  await byId('devtools-open').click()
  await byId('devtools-tab-faults').click()

  await byId('devtools-failure').selectOption('rateLimit')
  await expect.poll(output).toMatch(/^error .*HttpError/)
  await byId('devtools-tab-streams').click()
  const balances = byId('devtools-stream').filter({ hasText: 'balances' })
  await expect.poll(() => balances.innerText()).toContain('Retry-After')
  await byId('devtools-tab-faults').click()
  await byId('devtools-heal').click()
  await page.evaluate(() => window.client.queryClient.refetchQueries())
  await expect.poll(output).toMatch(/^success/)

  await byId('devtools-failure').selectOption('offline')
  await expect.poll(output).toMatch(/^error .*NetworkError/)
  await byId('devtools-failure').selectOption('none')
  await expect.poll(output).toMatch(/^success/)

  // A reorg shows the amounts of an earlier block, until it ends.
  const before = await output()
  await page.evaluate(() => {
    window.service.advance()
    const { address } = window.service.wallet('everyday')
    window.service.setAmount(address, { chainId: 1, address: 'native' }, '77')
  })
  await expect.poll(output).toBe('success 77')
  await byId('devtools-reorg').check()
  await expect.poll(output).toBe(before)
  await byId('devtools-reorg').uncheck()
  await expect.poll(output).toBe('success 77')

  await byId('devtools-latency').fill('-5')
  await byId('devtools-latency').press('Enter')
  expect(await byId('devtools-latency').inputValue()).toBe('0')
  await byId('devtools-latency').fill('1500')
  await byId('devtools-latency').press('Enter')
  // Without the number of requests, which would be announced each time.
  expect(await page.getByRole('status').innerText()).toBe('Faults are active.')
  expect(await findViolations()).toEqual([])
  await byId('devtools-tab-streams').click()
  await expect.poll(() => balances.innerText()).toContain('request in flight')
  expect(await byId('devtools').innerText()).toContain('Faults are active')
  // Removing the devtools removes the faults.
  await page.evaluate(() => window.unmount())
  expect(await page.locator('headwater-devtools').count()).toBe(0)
  const polls = () => page.evaluate(() => window.service.requests.length)
  const atUnmount = await polls()
  await expect.poll(polls).toBeGreaterThan(atUnmount)
})

it('shows the role of its tab, and the quota that remains', async () => {
  const quota = 5000
  await open(`?tabs&quota=${quota}`)
  const first = page
  const second = await first.context().newPage()
  second.setDefaultTimeout(30_000)
  await second.goto(first.url())
  for (const tab of [first, second]) {
    await tab.getByTestId('devtools-open').click()
  }
  const roles = () =>
    Promise.all([first, second].map((tab) => tab.getByTestId('devtools-tab').innerText()))
  await expect.poll(roles).toEqual(['leader', 'follower'])
  const show = (tab: Page, state: DocumentVisibilityState) =>
    tab.evaluate((value) => {
      Object.defineProperty(document, 'visibilityState', { value, configurable: true })
      document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
    }, state)
  // Another tab leads as soon as the leader is hidden, and keeps the role.
  await show(first, 'hidden')
  await expect.poll(roles).toEqual(['hidden', 'leader'])
  await show(first, 'visible')
  await expect.poll(roles).toEqual(['follower', 'leader'])

  const difference = () =>
    second.evaluate((units) => {
      const root = document.querySelector('headwater-devtools')!.shadowRoot!
      const shown = root.querySelector('[data-testid=devtools-remaining]')!.textContent!
      return Number(shown.replaceAll(',', '')) - (units - window.service.units)
    }, quota)
  await expect.poll(difference).toBe(0)
})

it('exports a trace without the key', async () => {
  await open()
  await byId('devtools-open').click()
  await byId('devtools-tab-requests').click()
  await byId('devtools-request').first().waitFor()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    byId('devtools-export').click(),
  ])
  expect(download.suggestedFilename()).toMatch(/^headwater-trace-.*\.json$/)
  const text = await readFile(await download.path(), 'utf8')
  const trace = JSON.parse(text) as Record<string, object[]>
  expect(trace).toMatchObject({ format: 'headwater-trace/1', tab: 'single' })
  expect(trace.requests?.length).toBeGreaterThan(0)
  expect(trace.events?.length).toBeGreaterThan(0)
  expect(trace.polls).toHaveLength(3)
  expect(text).not.toContain('test-key')
})

it('is accessible by keyboard, and for axe in both themes and on a small screen', async () => {
  await open()
  await page.keyboard.press('Alt+Shift+H')
  await byId('devtools-stream').first().waitFor()
  expect(await page.locator('[role=tab]:focus').innerText()).toBe('Streams')
  for (const row of await byId('devtools-stream').all()) {
    await row.getByRole('button').click()
  }
  expect(await findViolations('html')).toEqual([])
  await page.emulateMedia({ colorScheme: 'dark' })
  expect(await findViolations()).toEqual([])
  await byId('devtools-tab-streams').focus()
  for (const tab of ['Requests', 'Budget', 'Prices', 'Faults']) {
    await page.keyboard.press('ArrowRight')
    expect(await page.locator('[role=tab]:focus').innerText()).toBe(tab)
    expect(await findViolations()).toEqual([])
  }
  const colors = () =>
    page
      .getByRole('tab')
      .evaluateAll((all) => all.map((tab) => getComputedStyle(tab).backgroundColor))
  await page.emulateMedia({ forcedColors: 'active' })
  const [, , , unselected, selected] = await colors()
  expect(selected).not.toBe(unselected)
  expect(await findViolations()).toEqual([])
  await page.setViewportSize({ width: 360, height: 700 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
  // 1280 by 1024, zoomed to 400 %.
  await page.setViewportSize({ width: 320, height: 256 })
  expect((await page.getByRole('tabpanel').boundingBox())!.height).toBeGreaterThan(99)
  await byId('devtools-heal').click()
  await page.keyboard.press('Escape')
  await byId('devtools').waitFor({ state: 'detached' })
  // The focus returns to the button, which states the shortcut.
  const focused = page.locator('headwater-devtools button:focus')
  expect(await focused.getAttribute('aria-keyshortcuts')).toBe('Alt+Shift+H')
  expect(await focused.innerText()).toContain('Devtools')
  await page.keyboard.press('Enter')
  await byId('devtools').waitFor()
})

it('has a button and a panel for each client of the page', async () => {
  await open('?second')
  const boxes = await Promise.all(
    [0, 1].map((index) => byId('devtools-open').nth(index).boundingBox()),
  )
  expect(boxes[1]!.y + boxes[1]!.height).toBeLessThanOrEqual(boxes[0]!.y)
  expect(await findViolations('body')).toEqual([])
  await page.getByRole('button', { name: 'Devtools 2' }).click()
  await byId('devtools-service').getByText('second', { exact: true }).waitFor()
  await page.keyboard.press('Alt+Shift+H')
  await byId('devtools-service').getByText('second', { exact: true }).waitFor({ state: 'detached' })
  expect(await byId('devtools').count()).toBe(1)
  expect(await findViolations('body')).toEqual([])
})

it('leaves the focus where the user has it, and keeps what is typed in it from the page', async () => {
  await open('?open')
  await byId('devtools-stream').first().waitFor()
  const input = page.locator('input:focus')
  await input.waitFor()
  await page.keyboard.press('Alt+Shift+H')
  await byId('devtools').waitFor({ state: 'detached' })
  expect(await input.count()).toBe(1)

  await page.keyboard.press('Alt+Shift+H')
  await byId('devtools-filter').focus()
  await page.evaluate(() => {
    window.keys = []
    for (const type of ['keydown', 'keypress', 'keyup'] as const) {
      document.addEventListener(type, ({ key }) => window.keys.push(`${type} ${key}`))
    }
  })
  await page.keyboard.type('b/')
  await expect.poll(() => byId('devtools-stream').count()).toBe(0)
  expect(await page.evaluate(() => window.keys)).toEqual([])
  await page.keyboard.press('Escape')
  await byId('devtools').waitFor({ state: 'detached' })
  expect(await page.evaluate(() => window.keys)).not.toContain('keydown Escape')
})

it('displays hostile texts as text, and stays responsive with 5,000 streams', async () => {
  await open('?ugly&prices=5000')
  await page.keyboard.press('Alt+Shift+H')
  await expect.poll(() => byId('devtools-stream').count()).toBe(200)
  expect(await byId('devtools').innerText()).toMatch(/4,?80\d more rows/)
  await byId('devtools-filter').fill('balances')
  await expect.poll(() => byId('devtools-stream').count()).toBe(1)
  await byId('devtools-stream').getByRole('button').click()
  const snapshot = page.getByRole('group', { name: 'Snapshot' })
  await expect.poll(() => snapshot.innerText()).toContain('<script>alert(1)</script>')
  expect(await snapshot.locator('*').count()).toBe(0)
})

it("shows the queries that TanStack's devtools show", async () => {
  // They add a style element.
  await open('?tanstack', {})
  await byId('devtools-open').click()
  await byId('devtools-stream').first().waitFor()
  const shown = await page.evaluate(() => {
    const { queryClient } = window.client
    return queryClient
      .getQueryCache()
      .getAll()
      .map(({ queryHash }) => queryHash)
  })
  // Balances and holders. Prices are of their responses.
  expect(shown).toHaveLength(2)
  for (const queryHash of shown) {
    await page.getByLabel(`Query key ${queryHash}`).waitFor()
  }
  for (const operation of ['balances', 'tokenHolders']) {
    await byId('devtools-stream').filter({ hasText: operation }).waitFor()
  }
})
