import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ask } from './ask.ts'
import { launchBrowser } from './browser.ts'
import { transfer } from './chain.ts'
import { useStack } from './useStack.ts'

const stack = await useStack()
const [first, second] = stack.wallets.map(({ address }) => address) as [string, string]
const patience = { timeout: 60_000 }

let browser: Browser
beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser.close())

describe.each(['react', 'vue', 'svelte'] as const)('the %s demo', (framework) => {
  const url = stack.urls[framework]
  let page: Page
  /** Errors that nobody expected. */
  let complaints: string[]

  beforeEach(async () => {
    complaints = []
    page = await browser.newPage()
    page.setDefaultTimeout(patience.timeout)
    page.on('pageerror', (error) => complaints.push(error.message))
    page.on('console', (message) => {
      // The browser itself logs each refused or failed request.
      const expected = /Failed to load resource/.test(message.text())
      if (message.type() === 'error' && !expected) complaints.push(message.text())
    })
  })
  afterEach(async () => {
    await page.close()
    expect(complaints).toEqual([])
  })

  const rows = () => page.getByTestId('balance-row')
  const row = (chainId: number, address: string) =>
    page.locator(`[data-testid=balance-row][data-chain-id="${chainId}"][data-address="${address}"]`)

  /** An ERC20 token that both wallets hold on the first chain, priced and with plenty to give. */
  async function sharedToken() {
    const [mine, others] = await Promise.all([ask(stack, first), ask(stack, second)])
    const held = new Set(
      others.answer.balances.map(({ chain_id, address }) => `${chain_id}/${address}`),
    )
    const token = mine.answer.balances.find(
      ({ chain_id, address, amount, decimals, price_usd }) =>
        chain_id === 31337 &&
        address !== 'native' &&
        held.has(`${chain_id}/${address}`) &&
        price_usd !== undefined &&
        BigInt(amount) > 10n ** BigInt(decimals ?? 0),
    )
    if (!token) throw new Error('The first two wallets share no token on chain 31337.')
    return token
  }

  it('shows what a wallet holds, exactly, with prices, values and a total', async () => {
    await page.goto(`${url}/?address=${first}`)
    await page.getByTestId('balances-table').waitFor(patience)
    // The page follows the chain, on which somebody may just be sent a token.
    const isAllShown = async () =>
      (await rows().count()) === (await ask(stack, first)).answer.balances.length
    await expect.poll(isAllShown, patience).toBe(true)
    await expect.poll(() => page.getByTestId('total-value').innerText(), patience).toMatch(/\d/)
    const token = await sharedToken()
    expect(await row(31337, token.address).getByTestId('balance-price').innerText()).toMatch(/\d/)
    expect(await row(31337, token.address).getByTestId('balance-value').innerText()).toMatch(/\d/)
  })

  it('shows a transfer on the chain without a reload', async () => {
    const token = await sharedToken()
    await page.goto(`${url}/?address=${first}`)
    const amount = row(31337, token.address).getByTestId('balance-amount')
    await amount.waitFor(patience)
    await page.evaluate(() => Object.assign(window, { sameDocument: true }))
    // A sum that trading does not bring about by chance.
    const given = 10n ** BigInt(token.decimals ?? 0) / 2n + 12_345n
    const amounts = async () =>
      BigInt(
        (await ask(stack, first)).answer.balances.find(
          ({ address, chain_id }) => chain_id === 31337 && address === token.address,
        )!.amount,
      )
    const before = await amounts()
    await transfer(stack.nodes[0], token.address, second, first, given)
    await expect.poll(amounts, patience).not.toBe(before)
    // The page shows what the service answers at the same time, to the last digit.
    await expect
      .poll(async () => {
        const shown = (await amount.innerText()).replace(/[\s,]/g, '')
        return toUnits(shown, token.decimals ?? 0) === (await amounts())
      }, patience)
      .toBe(true)
    expect(await page.evaluate(() => (window as { sameDocument?: boolean }).sameDocument)).toBe(
      true,
    )
  })

  it('never shows the old wallet under the new one', async () => {
    await page.goto(`${url}/?address=${first}`)
    await rows().first().waitFor(patience)
    // Hold the second wallet's answer back and look at what stands there meanwhile.
    let answer = () => {}
    const held = new Promise<void>((resolve) => (answer = resolve))
    await page.route(`**/v1/evm/balances/${second}*`, async (route) => {
      await held
      await route.continue()
    })
    await page.getByTestId('address-input').fill(second)
    await page.getByTestId('address-submit').click()
    await page.getByTestId('state-loading').waitFor(patience)
    expect(await rows().count()).toBe(0)
    expect(page.url()).toContain(second)
    answer()
    await rows().first().waitFor(patience)
    const isAllShown = async () =>
      (await rows().count()) === (await ask(stack, second)).answer.balances.length
    await expect.poll(isAllShown, patience).toBe(true)
  })

  it('says that a wallet is empty', async () => {
    await page.goto(`${url}/?address=0x${'0123456789'.repeat(4)}`)
    await page.getByTestId('state-empty').waitFor(patience)
  })

  it('refuses a bad address without asking the service', async () => {
    let asked = 0
    await page.route('**/v1/evm/**', (route) => {
      asked++
      return route.continue()
    })
    await page.goto(`${url}/?address=0x1234`)
    const error = page.getByTestId('state-error')
    await error.waitFor(patience)
    expect(await error.getAttribute('data-kind')).toBe('invalid-address')
    expect(asked).toBe(0)
  })

  it('says that a key is wrong', async () => {
    await page.goto(`${url}/?address=${first}&key=hw_wrong`)
    const error = page.getByTestId('state-error')
    await error.waitFor(patience)
    expect(await error.getAttribute('data-kind')).toBe('unauthorized')
  })

  it('says that the service is away, and recovers by itself', async () => {
    await page.route('**/v1/evm/**', (route) => route.abort('connectionrefused'))
    await page.goto(`${url}/?address=${first}`)
    const error = page.getByTestId('state-error')
    await error.waitFor({ timeout: 90_000 })
    expect(await error.getAttribute('data-kind')).toBe('service-down')
    await page.unroute('**/v1/evm/**')
    await rows().first().waitFor({ timeout: 90_000 })
    await error.waitFor({ state: 'detached', ...patience })
  })
})

/** `12.5` with 3 decimals is 12500. */
function toUnits(text: string, decimals: number): bigint {
  const [whole = '0', fraction = ''] = text.split('.')
  return BigInt(whole + fraction.padEnd(decimals, '0'))
}
