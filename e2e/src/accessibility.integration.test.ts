import { describe, expect } from 'vitest'
import { bindingNames } from '../../scripts/bindings.ts'
import type { Demo } from './demo/Demo.ts'
import { demoTest } from './demo/demoTest.ts'
import { walletOf } from './demo/wallets.ts'
import { getStack } from './getStack.ts'

const stack = await getStack()
const alice = walletOf(stack, 'alice')
const otto = walletOf(stack, 'otto')

describe.each(bindingNames)('keyboard and motion in %s', (framework) => {
  const it = demoTest(stack, framework)

  it('supports the portfolio by keyboard', async ({ demo }) => {
    const { keyboard } = demo.page
    await demo.goto({ address: otto })
    await demo.rows().first().waitFor()
    await keyboard.press('Tab')
    expect(await demo.page.locator(':focus').innerText()).toBe('Skip to the content')
    await keyboard.press('Enter')
    await demo.page.locator('main:focus').waitFor()

    await tabTo(demo, 'address-input')
    await keyboard.press('ControlOrMeta+a')
    await keyboard.type(alice)
    await keyboard.press('Enter')
    await expect.poll(() => demo.query('address')).toBe(alice)
    await demo.rows().first().waitFor()

    await tabTo(demo, 'chain-option', '[data-chain-id="31337"]')
    await keyboard.press('Space')
    await expect.poll(() => demo.query('chains')).toBe('31337')
    await demo.rows().first().waitFor()

    await tabTo(demo, 'balances-search')
    await keyboard.type('meander')
    await expect.poll(() => demo.rows().count()).toBe(1)
    await keyboard.press('ControlOrMeta+a')
    await keyboard.press('Backspace')
    await tabTo(demo, 'hide-small')
    await keyboard.press('Space')
    expect(await demo.byId('hide-small').isChecked()).toBe(true)
    await tabTo(demo, 'balances-sort', '[data-column=token]')
    await keyboard.press('Enter')
    const heading = demo.page.getByRole('columnheader', { name: 'Token' })
    await expect.poll(() => heading.getAttribute('aria-sort')).toBe('ascending')

    // A new screen gets the focus on its heading.
    await tabTo(demo, 'token-link')
    const symbol = await demo.page.locator(':focus').innerText()
    await keyboard.press('Enter')
    await demo.byId('token-title').waitFor()
    await expect.poll(() => demo.page.locator('h1:focus').innerText()).toBe(symbol)

    // The sticky heading of the table covers no row that has the focus.
    await demo.byId('holder-row').nth(10).getByRole('link').focus()
    for (let rank = 9; rank >= 0; rank--) {
      await keyboard.press('Shift+Tab')
      const isCovered = await demo.page.locator(':focus').evaluate((link) => {
        const { left, top, height } = link.getBoundingClientRect()
        return document.elementFromPoint(left + 1, top + height / 2) !== link
      })
      expect(isCovered, `rank ${rank}`).toBe(false)
    }
  })

  it('supports token, collectibles and meter by keyboard', async ({ demo }) => {
    const { keyboard } = demo.page
    await demo.goto({ address: otto, screen: 'collectibles' })
    await demo.byId('collectible-card').first().waitFor()
    await tabTo(demo, 'collectible-card', 'a')
    await keyboard.press('Enter')
    await demo.byId('collectible-detail').waitFor()
    await expect.poll(() => demo.page.locator('h1:focus').count()).toBe(1)
    await keyboard.press('Shift+Tab')
    await keyboard.press('Enter')
    await demo.byId('gallery').waitFor()

    await demo.goto({ address: otto, screen: 'token', chain: 31337, token: 'native' })
    await demo.byId('token-chart').locator('canvas').first().waitFor()
    await tabTo(demo, 'meter-toggle')
    await keyboard.press('Enter')
    await tabTo(demo, 'budget-slider')
    const step = await demo.byId('budget-slider').inputValue()
    await keyboard.press('ArrowLeft')
    await expect.poll(() => demo.byId('budget-slider').inputValue()).not.toBe(step)
    await tabTo(demo, 'chart-range')
    await keyboard.press('Space')
    const range = demo.byId('chart-range').first()
    await expect.poll(() => range.getAttribute('aria-pressed')).toBe('true')
  })

  it('keeps the focus on a link whose row moves', async ({ demo }) => {
    await demo.goto({ address: alice })
    await demo.rows().first().waitFor()
    const links = demo.rows().getByTestId('token-link')
    const first = () => links.first().getAttribute('href')
    const focused = () => demo.page.evaluate(() => document.activeElement?.getAttribute('href'))
    // A framework moves some of the rows, and leaves the others in place.
    for (const index of [0, 1, 2]) {
      await links.nth(index).focus()
      const firstBefore = await first()
      const focusedBefore = await focused()
      // Leaves the focus where it is, as a live update does.
      await demo.page
        .locator('[data-testid=balances-sort][data-column=token]')
        .dispatchEvent('click')
      await expect.poll(first).not.toBe(firstBefore)
      expect(await focused()).toBe(focusedBefore)
    }
  })

  it('keeps the focus on the button that connects to another service', async ({ demo }) => {
    const { keyboard } = demo.page
    await demo.goto({ address: otto })
    await demo.rows().first().waitFor()
    // After navigation, since the first screen of a page never takes the focus.
    await demo.rows().getByTestId('token-link').first().click()
    await demo.page.locator('h1:focus').waitFor()
    await demo.byId('connection').locator('summary').click()
    await demo.byId('connection-url').fill(stack.urls.api)
    await demo.byId('connection-key').fill(stack.key)
    const isReconnected = demo.page.waitForResponse((response) =>
      response.url().startsWith(`${stack.urls.api}/v1/evm/token-info/`),
    )
    await tabTo(demo, 'connection-submit')
    await keyboard.press('Enter')
    await isReconnected
    await demo.byId('token-title').waitFor()
    await demo.byId('token-chart').locator('canvas').first().waitFor()
    expect(await demo.page.locator(':focus').getAttribute('data-testid')).toBe('connection-submit')
  })

  it('focuses the heading when a first connection replaces the form', async ({ demo }) => {
    await demo.page.route('**/config.json', async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, json: { ...(await response.json()), apiUrl: 'http://' } })
    })
    await demo.goto({ address: otto })
    await demo.byId('state-error').waitFor()
    await demo.byId('connection').locator('summary').click()
    await demo.byId('connection-url').fill(stack.urls.api)
    await demo.byId('connection-key').fill(stack.key)
    await tabTo(demo, 'connection-submit')
    await demo.page.keyboard.press('Enter')
    await demo.rows().first().waitFor()
    expect(await demo.page.locator('h1:focus').innerText()).toBe(otto)
  })

  it('has no animations with prefers-reduced-motion', async ({ demo }) => {
    await demo.page.emulateMedia({ reducedMotion: 'reduce' })
    // Without responses, the animated skeletons stay.
    await demo.intercept('balances', () => {})
    await demo.goto({ address: alice })
    await demo.byId('state-loading').waitFor()
    const moving = () => demo.page.evaluate(() => document.getAnimations().length)
    expect(await moving()).toBe(0)
    await demo.page.emulateMedia({ reducedMotion: 'no-preference' })
    await expect.poll(moving).toBeGreaterThan(0)
  })
})

/** Presses Tab until an element has the focus, and checks that the focus is visible. */
async function tabTo(demo: Demo, testId: string, selector = ''): Promise<void> {
  const isInside = selector !== '' && !selector.startsWith('[')
  const wanted = `[data-testid="${testId}"]${isInside ? ` ${selector}` : selector}:focus`
  for (let presses = 0; presses < 300; presses++) {
    if (await demo.page.locator(wanted).count()) {
      const outline = (element: Element) => getComputedStyle(element).outlineStyle
      expect(await demo.page.locator(wanted).evaluate(outline), `${testId} has focus`).toBe('solid')
      return
    }
    await demo.page.keyboard.press('Tab')
  }
  throw new Error(`${testId}${selector} is not reachable by Tab.`)
}
