import { describe, expect } from 'vitest'
import { bindingNames } from '../../scripts/bindings.ts'
import type { Demo } from './demo/Demo.ts'
import { demoTest } from './demo/demoTest.ts'
import { patience } from './demo/patience.ts'
import { priceText, stillToken, swapBackAndForth } from './demo/swapBackAndForth.ts'
import { findBalance, holding, walletOf } from './demo/wallets.ts'
import { useStack } from './useStack.ts'

const stack = await useStack()
const alice = walletOf(stack, 'alice')

const placeOf = ({ chain_id, address }: { chain_id: number; address: string }) => ({
  screen: 'token',
  chain: chain_id,
  token: address,
})

describe.each(bindingNames)('the token screen in %s', (framework) => {
  const it = demoTest(stack, framework)

  it('shows the price now and before, what is known of a token, and who holds it', async ({
    demo,
  }) => {
    await demo.goto(placeOf(await holding(stack, alice, 31337, 'DELTA')))
    await demo.byId('token-price').waitFor()
    await demo.byId('holder-row').first().waitFor()
    expect(await demo.byId('token-title').innerText()).toBe('DELTA')
    expect(await demo.byId('token-price').innerText()).toMatch(/^\$\d/)
    for (const hours of [1, 24, 168]) {
      const change = demo.page.locator(`[data-testid=offset-change][data-hours="${hours}"]`)
      await expect.poll(() => change.innerText(), patience).toMatch(/%$/)
    }
    for (const figure of ['token-liquidity', 'token-fdv']) {
      await expect.poll(() => demo.byId(figure).innerText(), patience).toMatch(/^\$\d/)
    }
    expect(await demo.byId('token-supply').innerText()).toBe('40,000,000')
    expect(await demo.byId('low-liquidity').count()).toBe(0)
    // The chart is drawn, and says what it shows.
    await demo.byId('token-chart').locator('canvas').first().waitFor()
    await expect.poll(() => chartText(demo), patience).toMatch(/^In the last .* from \$/)
    const week = demo.byId('chart-range').last()
    await week.click()
    expect(await week.getAttribute('aria-pressed')).toBe('true')
    await expect.poll(() => chartText(demo), patience).toContain(await week.innerText())
  })

  it('shows a swap on the chain without a reload, in the price and in its chart', async ({
    demo,
  }) => {
    const token = await stillToken(stack, alice)
    await demo.goto(placeOf(token))
    const price = demo.byId('token-price')
    await expect.poll(() => price.innerText(), patience).toBe(priceText(token.price_usd!))
    await demo.byId('low-liquidity').waitFor()
    await demo.mark()
    const swapped = await swapBackAndForth(stack, alice)
    await expect.poll(() => price.innerText(), patience).toBe(priceText(swapped.price))
    expect(await price.locator('[data-tick]').getAttribute('data-tick')).toBe(swapped.direction)
    await expect.poll(() => chartText(demo), patience).toContain(`to ${priceText(swapped.price)},`)
    await demo.expectNoReload()
  })

  it('shows all of 2,000 holders, one after the other, as it is scrolled', async ({ demo }) => {
    const token = await holding(stack, alice, 31337, 'SHOAL')
    await demo.goto(placeOf(token))
    await demo.byId('holder-row').first().waitFor()
    const walletsByRank = new Map<number, string>()
    const list = demo.byId('holders-list')
    const end = demo.byId('holders-end')
    const scrollOn = async () => {
      const seen = await demo.byId('holder-row').evaluateAll((rows) => {
        rows.at(-1)?.scrollIntoView({ block: 'end' })
        return rows.map(({ dataset }) => [Number(dataset.rank), dataset.address!] as const)
      })
      for (const [rank, wallet] of seen) {
        walletsByRank.set(rank, wallet)
      }
      // Only what is seen and some around it is on the page.
      expect(seen.length).toBeLessThanOrEqual(100)
      const isWhole = (await end.count()) === 1
      return isWhole && (await list.getAttribute('aria-rowcount')) === String(seen.at(-1)![0] + 1)
    }
    await expect.poll(scrollOn, { timeout: 180_000, interval: 20 }).toBe(true)

    const ranks = [...walletsByRank.keys()].toSorted((a, b) => a - b)
    expect(ranks.length).toBeGreaterThanOrEqual(2_000)
    expect(ranks).toEqual(ranks.map((_, index) => index + 1))
    expect(await list.getAttribute('aria-rowcount')).toBe(String(ranks.length + 1))
    expect(await demo.byId('holders-count').innerText()).toBe(ranks.length.toLocaleString('en-US'))
  })

  it('has a price and no holders of a native asset', async ({ demo }) => {
    const native = await findBalance(stack, alice, ({ address }) => address === 'native')
    await demo.goto(placeOf(native))
    await expect.poll(() => demo.byId('token-price').innerText(), patience).toMatch(/^\$\d/)
    await demo.byId('token-chart').locator('canvas').first().waitFor()
    expect(await demo.byId('token-title').innerText()).toBe('ETH')
    expect(await demo.byId('holders-list').count()).toBe(0)
  })
})

/** What the chart says to those who cannot see it. */
async function chartText(demo: Demo): Promise<string> {
  return (await demo.byId('token-chart').getAttribute('aria-label')) ?? ''
}
