import { describe, expect } from 'vitest'
import { bindingNames } from '../../scripts/bindings.ts'
import { transfer } from './chain.ts'
import { demoTest } from './demo/demoTest.ts'
import { priceText, swapBackAndForth, untradedToken } from './demo/swapBackAndForth.ts'
import { toUnits } from './demo/toUnits.ts'
import { balancesOf, findBalance, holding, walletOf } from './demo/wallets.ts'
import { getStack } from './getStack.ts'

const stack = await getStack()
const alice = walletOf(stack, 'alice')
const bob = walletOf(stack, 'bob')

/** Transfers per framework whose duration is measured. */
const transfers = Number(process.env.E2E_TRANSFERS ?? 1)

describe.each(bindingNames)('the portfolio in %s', (framework) => {
  const it = demoTest(stack, framework)

  it('shows the exact balances of a wallet and their value', async ({ demo }) => {
    await demo.goto({ address: alice })
    await demo.rows().first().waitFor()
    // Balances may change meanwhile.
    const shown = () =>
      demo
        .rows()
        .evaluateAll((rows) =>
          rows.map(({ dataset }) => `${dataset.chainId}/${dataset.address} ${dataset.amount}`),
        )
    await expect
      .poll(async () => {
        const balances = await balancesOf(stack, alice)
        const names = balances.map(
          ({ chain_id, address, amount }) => `${chain_id}/${address} ${amount}`,
        )
        return (await shown()).toSorted().join() === names.toSorted().join()
      })
      .toBe(true)

    const token = demo.row(await holding(stack, alice, 31337, 'DELTA'))
    expect(await token.getByTestId('balance-price').innerText()).toMatch(/^\$\d/)
    expect(await token.getByTestId('balance-value').innerText()).toMatch(/^\$\d/)
    expect(await token.getByTestId('balance-change').innerText()).toMatch(/%$/)
    expect(await token.getByTestId('sparkline').count()).toBe(1)
    const thin = demo.row(await findBalance(stack, alice, (each) => each.low_liquidity === true))
    expect(await thin.getByTestId('low-liquidity').count()).toBe(1)
    const unpriced = demo.row(await holding(stack, alice, 31337, 'SILT'))
    expect(await unpriced.getByTestId('balance-value').innerText()).toBe('—')

    expect(await demo.byId('total-value').innerText()).toMatch(/^\$\d/)
    expect(await demo.byId('total-change').innerText()).toMatch(/%\) in 24 h$/)
    expect(await demo.byId('portfolio-trust').innerText()).toMatch(/\d/)
    expect(await demo.byId('portfolio-chain').count()).toBe(2)
    await expect.poll(() => demo.byId('updated').innerText()).toMatch(/^Live/)
  })

  it('shows a transfer on the chain without a reload', async ({ demo }) => {
    // This wallet never sends tokens.
    const grace = walletOf(stack, 'grace')
    const token = await holding(stack, grace, 31337, 'DELTA')
    const amount = async () => BigInt((await holding(stack, grace, 31337, 'DELTA')).amount)
    await demo.goto({ address: grace })
    const cell = demo.row(token).getByTestId('balance-amount')
    await cell.waitFor()
    await demo.mark()
    // An amount that no other transfer has.
    const sent = 10n ** 18n / 2n + 12_345n
    const before = await amount()
    await transfer(stack.nodes[0], token.address, walletOf(stack, 'treasury'), grace, sent)
    await expect.poll(amount).toBeGreaterThanOrEqual(before + sent)
    // Equal to the response of the service to the last digit.
    await expect
      .poll(async () => toUnits(await cell.innerText(), 18) === (await amount()))
      .toBe(true)
    await demo.expectNoReload()
  })

  it('shows a transfer that the service pushes, without polling', async ({ demo }) => {
    // This wallet never sends tokens.
    const grace = walletOf(stack, 'grace')
    const token = await holding(stack, grace, 31337, 'DELTA')
    await demo.allowPush()
    await demo.goto({ address: grace, chains: '31337' })
    const cell = demo.row(token).getByTestId('balance-amount')
    await cell.waitFor()
    await demo.byId('meter-toggle').click()
    await demo.page.locator('[data-testid=meter-connection][data-state=live]').waitFor()
    const shown = async () => toUnits(await cell.innerText(), 18)
    const requests = demo.countRequests('balances')
    const durations: number[] = []
    while (durations.length < transfers) {
      if (durations.length > 0) {
        // More frequent changes are requested as often as polls.
        await demo.page.waitForTimeout(3_000)
      }
      const sent = 10n ** 18n / 4n + 54_321n
      const before = await shown()
      const sentAt = performance.now()
      await Promise.all([
        transfer(stack.nodes[0], token.address, walletOf(stack, 'treasury'), grace, sent),
        // The devnet may send more meanwhile.
        expect
          .poll(shown, { interval: 10 })
          .toBeGreaterThanOrEqual(before + sent)
          .then(() => durations.push(performance.now() - sentAt)),
      ])
    }
    const sorted = durations.toSorted((a, b) => a - b)
    const [median, longest] = [sorted[sorted.length >> 1]!, sorted.at(-1)!].map(Math.round)
    // Printed only, because it depends on the load of the machine.
    console.log(
      `${framework}: a transfer is shown after ${median} ms, the median of ${transfers} (longest: ${longest} ms)`,
    )
    expect(requests.count).toBeGreaterThan(0)
    // Two intervals of polling and more, in which the wallet does not change. The client is the same in all demos.
    if (framework === 'react') {
      const polled = demo.countRequests('balances')
      await demo.page.waitForTimeout(5_000)
      expect(polled.count).toBeLessThanOrEqual(1)
    }
  })

  it('shows a swap on the chain without a reload', async ({ demo }) => {
    const token = await untradedToken(stack, alice)
    await demo.goto({ address: alice })
    const cell = demo.row(token).getByTestId('balance-price')
    await cell.waitFor()
    expect(await cell.innerText()).toBe(priceText(token.price_usd!))
    await demo.mark()
    const { price, direction } = await swapBackAndForth(stack, alice)
    await expect.poll(() => cell.innerText()).toBe(priceText(price))
    expect(await cell.locator('[data-tick]').getAttribute('data-tick')).toBe(direction)
    await demo.expectNoReload()
  })

  it('never shows data of the previous wallet under the new address', async ({ demo }) => {
    await demo.goto({ address: alice })
    await demo.rows().first().waitFor()
    // Delay the response of the second wallet.
    let release = () => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    await demo.page.route(`**/v1/evm/balances/${bob}*`, async (route) => {
      await held
      await route.continue()
    })
    await demo.byId('address-input').fill(bob)
    await demo.byId('address-submit').click()
    await demo.byId('state-loading').waitFor()
    expect(await demo.rows().count()).toBe(0)
    expect(await demo.byId('total-value').count()).toBe(0)
    expect(demo.query('address')).toBe(bob)
    release()
    await demo.rows().first().waitFor()
    await expect
      .poll(async () => (await demo.rows().count()) === (await balancesOf(stack, bob)).length)
      .toBe(true)
  })

  it('shows only the selected chains', async ({ demo }) => {
    await demo.goto({ address: alice })
    await demo.rows().first().waitFor()
    const chains = () =>
      demo
        .rows()
        .evaluateAll((rows) => [...new Set(rows.map(({ dataset }) => dataset.chainId))].toSorted())
    expect(await chains()).toEqual(['31337', '31338'])
    const second = demo.page.locator('[data-testid=chain-option][data-chain-id="31338"]')
    await second.click()
    await expect.poll(chains).toEqual(['31338'])
    expect(demo.query('chains')).toBe('31338')
    expect(await second.getAttribute('aria-pressed')).toBe('true')
    await demo.page.goBack()
    await expect.poll(chains).toEqual(['31337', '31338'])
  })

  it('searches, sorts and hides', async ({ demo }) => {
    await demo.goto({ address: alice })
    await demo.rows().first().waitFor()
    const symbols = () => demo.rows().getByTestId('token-link').allInnerTexts()

    await demo.byId('balances-search').fill('meander')
    await expect.poll(symbols).toEqual(['MNDR', 'MNDR'])
    await demo.byId('balances-search').fill('')
    const isAllShown = async () =>
      (await symbols()).length === (await balancesOf(stack, alice)).length
    await expect.poll(isAllShown).toBe(true)

    const byToken = demo.page.locator('[data-testid=balances-sort][data-column=token]')
    const collator = new Intl.Collator('en', { sensitivity: 'base', numeric: true })
    // A wallet may receive another token at any time.
    const isSorted = async () => {
      const shown = await symbols()
      return shown.join() === shown.toSorted(collator.compare).join()
    }
    expect(await isSorted()).toBe(false)
    await byToken.click()
    await expect.poll(isSorted).toBe(true)
    await byToken.click()
    const isDescending = async () =>
      collator.compare((await symbols())[0]!, (await symbols()).at(-1)!) > 0
    await expect.poll(isDescending).toBe(true)

    await demo.byId('hide-spam').check()
    const thin = demo.byId('low-liquidity')
    const spam = await findBalance(stack, alice, ({ pool_size }) => Number(pool_size) < 100)
    await demo.row(spam).waitFor({ state: 'detached' })
    expect(await thin.count()).toBeGreaterThan(0)
    // The setting persists.
    await demo.page.reload()
    await demo.rows().first().waitFor()
    expect(await demo.byId('hide-spam').isChecked()).toBe(true)
    expect(await demo.row(spam).count()).toBe(0)
  })
})
