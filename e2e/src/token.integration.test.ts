import { setTimeout } from 'node:timers/promises'
import type { Route } from 'playwright-core'
import { describe, expect } from 'vitest'
import { bindingNames } from '../../scripts/bindings.ts'
import type { Demo } from './demo/Demo.ts'
import { demoTest } from './demo/demoTest.ts'
import { priceText, swapBackAndForth, untradedToken } from './demo/swapBackAndForth.ts'
import { findBalance, holding, walletOf } from './demo/wallets.ts'
import { getStack } from './getStack.ts'

const stack = await getStack()
const alice = walletOf(stack, 'alice')

const linkToToken = ({ chain_id, address }: { chain_id: number; address: string }) => ({
  screen: 'token',
  chain: chain_id,
  token: address,
})

describe.each(bindingNames)('the token screen in %s', (framework) => {
  const it = demoTest(stack, framework)

  it('shows price, historical prices, facts and holders of a token', async ({ demo }) => {
    await demo.goto(linkToToken(await holding(stack, alice, 31337, 'DELTA')))
    await demo.byId('holder-row').first().waitFor()
    await expect.poll(() => demo.byId('token-title').innerText()).toBe('DELTA')
    await expect.poll(() => demo.byId('token-price').innerText()).toMatch(/^\$\d/)
    for (const hours of [1, 24, 168]) {
      const change = demo.page.locator(`[data-testid=offset-change][data-hours="${hours}"]`)
      await expect.poll(() => change.innerText()).toMatch(/%$/)
    }
    for (const figure of ['token-liquidity', 'token-fdv']) {
      await expect.poll(() => demo.byId(figure).innerText()).toMatch(/^\$\d/)
    }
    expect(await demo.byId('token-supply').innerText()).toBe('40,000,000')
    expect(await demo.byId('low-liquidity').count()).toBe(0)
    await expect.poll(() => demo.byId('pricing-summary').innerText()).toMatch(/pools? to USD$/)
    await demo.byId('pricing-summary').click()
    const pools = demo.byId('pricing-route').locator('li')
    expect(await pools.first().innerText()).toMatch(
      /Uniswap V[23][^]*DELTA \/ 0x[^]*\$[\d.]+[KMB]? now, \$[\d.]+[KMB]? over the hour/,
    )
    // The chart is drawn and has a text alternative.
    await demo.byId('token-chart').locator('canvas').first().waitFor()
    await expect.poll(() => chartText(demo)).toMatch(/^In the last .* from \$/)
    const week = demo.byId('chart-range').last()
    await week.click()
    expect(await week.getAttribute('aria-pressed')).toBe('true')
    await expect.poll(() => chartText(demo)).toContain(await week.innerText())
  })

  it('shows a swap on the chain without a reload, in the price and in its chart', async ({
    demo,
  }) => {
    const token = await untradedToken(stack, alice)
    await demo.goto(linkToToken(token))
    const price = demo.byId('token-price')
    await expect.poll(() => price.innerText()).toBe(priceText(token.price_usd!))
    await demo.byId('low-liquidity').waitFor()
    await demo.mark()
    const swapped = await swapBackAndForth(stack, alice)
    await expect.poll(() => price.innerText()).toBe(priceText(swapped.price))
    expect(await price.locator('[data-tick]').getAttribute('data-tick')).toBe(swapped.direction)
    await expect.poll(() => chartText(demo)).toContain(`to ${priceText(swapped.price)},`)
    await demo.expectNoReload()
  })

  it('shows all of 2,000 holders when it is scrolled', async ({ demo }) => {
    const token = await holding(stack, alice, 31337, 'SHOAL')
    // The rows keep their height when the decimals arrive.
    await demo.intercept('token-info', async (route) => {
      await setTimeout(2_000)
      await route.continue()
    })
    await demo.goto(linkToToken(token))
    await demo.byId('holder-row').first().waitFor()
    const walletsByRank = new Map<number, string>()
    let counts: object = {}
    const scrollToEnd = async () => {
      const { rows, count, ...state } = await scrollToLastHolder(demo)
      counts = { count, rowCount: state.rowCount }
      for (const [rank, wallet] of rows) {
        walletsByRank.set(rank, wallet)
      }
      // Only visible rows and some around them are rendered.
      expect(rows.length).toBeLessThanOrEqual(100)
      return {
        ...state,
        isAtEnd: state.isComplete && state.rowCount === String(state.lastRank + 1),
      }
    }
    await expect
      .poll(scrollToEnd, { timeout: 180_000, interval: 20 })
      .toMatchObject({ isAtEnd: true })

    const ranks = [...walletsByRank.keys()].toSorted((a, b) => a - b)
    expect(ranks.length).toBeGreaterThanOrEqual(2_000)
    expect(ranks).toEqual(ranks.map((_, index) => index + 1))
    expect(counts).toEqual({
      count: ranks.length.toLocaleString('en-US'),
      rowCount: String(ranks.length + 1),
    })
  })

  it('continues the list of holders after a page failed', async ({ demo }) => {
    demo.allowsFailedRequests = true
    await demo.page.clock.install()
    const token = await holding(stack, alice, 31337, 'SHOAL')
    let failPage: ((route: Route) => Promise<void>) | undefined
    await demo.intercept('token-holders', (route) =>
      failPage && route.request().url().includes('offset=') ? failPage(route) : route.continue(),
    )
    await demo.goto(linkToToken(token))
    await demo.byId('holder-row').first().waitFor()
    const problems = demo.byId('state-error')
    const shown = async () =>
      Number((await demo.byId('holders-count').innerText()).replaceAll(/\D/g, ''))
    const scrollUntilPageFails = async (fail: typeof failPage) => {
      failPage = fail
      const scroll = async () => {
        await scrollToLastHolder(demo)
        await demo.page.clock.fastForward(1_000)
        return problems.count()
      }
      await expect.poll(scroll, { interval: 20 }).toBe(1)
      failPage = undefined
      return shown()
    }

    const first = await scrollUntilPageFails((route) => route.abort('connectionrefused'))
    // Automatically, as the notice states.
    const advance = async () => {
      await demo.page.clock.fastForward(1_000)
      return problems.count()
    }
    await expect.poll(advance).toBe(0)
    await expect.poll(shown).toBeGreaterThanOrEqual(first + 100)

    const second = await scrollUntilPageFails((route) =>
      route.fulfill({
        status: 404,
        headers: { 'access-control-allow-origin': '*' },
        json: { error: { code: 'not_found', message: 'Unknown page.' } },
      }),
    )
    // An error that is not retried automatically: on request.
    await problems.getByRole('button').click()
    await expect.poll(shown).toBeGreaterThanOrEqual(second + 100)
    expect(await problems.count()).toBe(0)
  })

  it('shows the problems of the token and of its holders apart, and announces both', async ({
    demo,
  }) => {
    demo.allowsFailedRequests = true
    await demo.page.clock.install()
    await demo.goto(linkToToken(await holding(stack, alice, 31337, 'DELTA')))
    await demo.byId('holder-row').first().waitFor()
    await expect.poll(() => demo.byId('token-title').innerText()).toBe('DELTA')
    await demo.intercept('*', (route) => route.abort('connectionrefused'))
    const problems = demo.byId('state-error')
    const advance = async () => {
      await demo.page.clock.fastForward(1_000)
      return problems.count()
    }
    await expect.poll(advance).toBe(2)
    await demo.byId('holders-list').evaluate((list) => list.scrollIntoView())
    const notices = await problems.evaluateAll((elements) =>
      elements.map((element) => {
        const { top, bottom } = element.getBoundingClientRect()
        return { id: element.id, top, bottom, viewport: innerHeight }
      }),
    )
    const [ofHolders, ofToken] = notices.toSorted((one, other) => one.top - other.top)
    expect(ofHolders!.top).toBeGreaterThanOrEqual(0)
    expect(ofHolders!.bottom).toBeLessThan(ofToken!.top)
    expect(ofToken!.bottom).toBeLessThanOrEqual(ofToken!.viewport)
    expect(ofHolders!.id).not.toBe(ofToken!.id)
    const title = 'The service cannot be reached.'
    const announced = await demo.page.getByRole('status').allInnerTexts()
    expect(announced).toEqual(expect.arrayContaining([title, `Holders: ${title}`]))
  })

  it('shows a price and no holders for a native asset', async ({ demo }) => {
    const native = await findBalance(stack, alice, ({ address }) => address === 'native')
    await demo.goto(linkToToken(native))
    await expect.poll(() => demo.byId('token-price').innerText()).toMatch(/^\$\d/)
    await demo.byId('token-chart').locator('canvas').first().waitFor()
    await expect.poll(() => demo.byId('token-title').innerText()).toBe('ETH')
    expect(await demo.byId('holders-list').count()).toBe(0)
  })
})

/** The text alternative of the chart. */
async function chartText(demo: Demo): Promise<string> {
  return (await demo.byId('token-chart').getAttribute('aria-label')) ?? ''
}

/**
 * Scrolls to the last rendered holder, and returns what the list showed before: at once, because it changes at any time, and
 * with the rest of its state for the message of a failure.
 */
function scrollToLastHolder({ page }: Demo) {
  return page.evaluate(() => {
    const byId = (testId: string) => [
      ...document.querySelectorAll<HTMLElement>(`[data-testid=${testId}]`),
    ]
    const rows = byId('holder-row')
    rows.at(-1)?.scrollIntoView({ block: 'end' })
    return {
      rows: rows.map(({ dataset }) => [Number(dataset.rank), dataset.address!] as const),
      lastRank: Number(rows.at(-1)?.dataset.rank ?? 0),
      rowCount: byId('holders-list')[0]?.getAttribute('aria-rowcount'),
      count: byId('holders-count')[0]?.innerText,
      isComplete: byId('holders-end').length === 1,
      problems: byId('state-error').map(({ innerText }) => innerText),
    }
  })
}
