import path from 'node:path'
import { describe, expect } from 'vitest'
import { bindingNames } from '../../scripts/bindings.ts'
import { demoTest } from './demo/demoTest.ts'
import { findAxeViolations } from './demo/findAxeViolations.ts'
import { walletOf } from './demo/wallets.ts'
import { getStack } from './getStack.ts'
import { documentedFolder, isUpdating } from './screenshots.ts'

const stack = await getStack()
const alice = walletOf(stack, 'alice')

describe.each(bindingNames)('the devtools in %s', (framework) => {
  const it = demoTest(stack, framework)

  it('show the units, headers and streams of the page, and inject faults', async ({ demo }) => {
    demo.allowsFailedRequests = true
    /** The headers that the service sent, by request id. */
    const costs = new Map<string, string>()
    let remaining = ''
    demo.page.on('response', async (response) => {
      const headers = await response.allHeaders()
      if (headers['x-compute-units-cost'] !== undefined) {
        costs.set(headers['x-request-id']!, headers['x-compute-units-cost'])
        remaining = headers['x-compute-units-remaining'] ?? ''
      }
    })
    await demo.goto({ address: alice })
    await demo.rows().first().waitFor()
    // A button states the shortcut.
    expect(await demo.byId('devtools-open').innerText()).toContain('Alt+Shift+H')
    await demo.page.keyboard.press('Alt+Shift+H')
    await demo.byId('devtools').waitFor()

    const toNumber = (text: string) => Number(text.replaceAll(',', ''))
    const charged = () => [...costs.values()].reduce((sum, cost) => sum + Number(cost), 0)
    const difference = async () =>
      toNumber(await demo.byId('devtools-units').innerText()) - charged()
    await expect.poll(difference, { interval: 20 }).toBe(0)
    expect(charged()).toBeGreaterThan(0)
    // What remains of the key's quota, if it has one.
    const isRemainingShown = async () => {
      const shown = await demo.byId('devtools-remaining').innerText()
      return remaining === '' ? shown === '–' : toNumber(shown) === Number(remaining)
    }
    await expect.poll(isRemainingShown, { interval: 20 }).toBe(true)

    const balances = demo.byId('devtools-stream').filter({ hasText: 'balances' }).first()
    const statusAndReason = async () => {
      const cells = await balances.locator('td').allInnerTexts()
      return `${cells[1]}, ${cells[4]}`
    }
    await expect.poll(statusAndReason).toMatch(/^success, (interval|request in flight)$/)
    // Two units every two seconds.
    expect(await balances.locator('td').nth(5).innerText()).toBe('60')
    expect(toNumber(await balances.locator('td').nth(6).innerText())).toBeGreaterThan(0)

    if (isUpdating && framework === 'react') {
      await demo.page.screenshot({ path: path.join(documentedFolder, 'devtools-light.png') })
    }

    await demo.byId('devtools-tab-requests').click()
    const request = demo.byId('devtools-request').filter({ hasText: 'success' }).first()
    await request.getByRole('button').click()
    const region = demo.page.getByRole('group', { name: 'Headers of the response' })
    const shown = new Map(
      (await region.innerText())
        .split('\n')
        .map((line) => line.split(': ') as [name: string, value: string]),
    )
    expect(shown.get('x-compute-units-cost')).toBe(costs.get(shown.get('x-request-id')!))
    await demo.byId('devtools-tab-prices').click()
    await expect
      .poll(() => demo.byId('devtools-price').first().innerText())
      .toMatch(/31337\/|31338\//)

    for (const colorScheme of ['light', 'dark'] as const) {
      await demo.page.emulateMedia({ colorScheme })
      expect(await findAxeViolations(demo.page, undefined, 'headwater-devtools')).toEqual([])
    }

    await demo.byId('devtools-tab-faults').click()
    const retryAfter = demo.page.getByLabel('Retry-After of 429, in seconds')
    await retryAfter.fill('1')
    await retryAfter.press('Enter')
    await demo.byId('devtools-failure').selectOption('rateLimit')
    await demo.byId('state-error').waitFor()
    await demo.byId('devtools-failure').selectOption('offline')
    await demo.byId('offline-banner').waitFor()
    // Polls continue as soon as the browser is online.
    await demo.byId('devtools-heal').click()
    await demo.byId('offline-banner').waitFor({ state: 'detached' })
    await demo.byId('state-error').waitFor({ state: 'detached' })
    // The faults cost nothing.
    await expect.poll(difference, { interval: 20 }).toBe(0)
    await demo.page.keyboard.press('Alt+Shift+H')
    await demo.byId('devtools').waitFor({ state: 'detached' })
    // New requests are above the others, which they move.
    await demo.page.evaluate(() => void (window.layoutShift = 0))
  })
})
