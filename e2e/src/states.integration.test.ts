import { describe, expect } from 'vitest'
import { bindingNames } from '../../scripts/bindings.ts'
import { transfer } from './chain.ts'
import type { Demo } from './demo/Demo.ts'
import { demoTest } from './demo/demoTest.ts'
import { balancesOf, holding, walletOf } from './demo/wallets.ts'
import { getStack } from './getStack.ts'

const stack = await getStack()
const alice = walletOf(stack, 'alice')

/** Fails all requests to the service, as if it were stopped. */
const takeServiceDown = (demo: Demo) =>
  demo.intercept('*', (route) => route.abort('connectionrefused'))

describe.each(bindingNames)('states of %s', (framework) => {
  const it = demoTest(stack, framework)

  it('shows that a wallet is empty', async ({ demo }) => {
    await demo.goto({ address: walletOf(stack, 'empty') })
    await demo.byId('state-empty').waitFor()
    expect(await demo.byId('state-empty').innerText()).toMatch(/^This wallet is empty\./)
    expect((await demo.byId('total-change').innerText()).trim()).toBe('')
    await demo.byId('nav-collectibles').click()
    await demo.byId('state-empty').waitFor()
  })

  it('does not call a wallet empty whose response lacks a chain', async ({ demo }) => {
    await demo.goto({ address: alice, chains: 99_999 })
    await demo.byId('state-empty').waitFor()
    const text = await demo.byId('state-empty').innerText()
    expect(text).toMatch(/^No tokens found\.\s+Unsupported chains were ignored: 99999$/)
  })

  it('requests an address when no wallet is configured', async ({ demo }) => {
    await demo.page.route('**/config.json', async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, json: { ...(await response.json()), wallets: [] } })
    })
    await demo.goto()
    await demo.page.getByText('Enter a wallet address to show its balances.').waitFor()
    await demo.byId('nav-collectibles').click()
    await demo.page.getByText('Enter a wallet address to show its collectibles.').waitFor()
    expect(await demo.byId('state-loading').count()).toBe(0)
  })

  it('rejects an invalid address without a request, and accepts a valid one afterwards', async ({
    demo,
  }) => {
    const requests = demo.countRequests('balances')
    await demo.goto({ address: '0x1234' })
    expect(await demo.problem()).toBe('invalid-address')
    expect(requests.count).toBe(0)
    expect(await demo.byId('address-input').getAttribute('aria-invalid')).toBe('true')
    await demo.byId('address-input').fill(alice)
    await demo.byId('address-input').press('Enter')
    await demo.rows().first().waitFor()
    expect(await demo.byId('state-error').count()).toBe(0)
  })

  it('receives no key, as the proxy of its server adds it', async ({ demo }) => {
    const texts: Promise<string>[] = []
    // Requests in flight at the end have no text.
    const record = (text: Promise<string>) => void texts.push(text.catch(() => ''))
    demo.page.on('request', (request) => record(request.allHeaders().then(JSON.stringify)))
    demo.page.on('response', (response) => record(response.text()))
    await demo.goto({ address: alice })
    await demo.rows().first().waitFor()
    const loaded = await Promise.all(texts)
    expect(loaded.some((text) => text.includes('"wallet_address"'))).toBe(true)
    expect(loaded.some((text) => text.includes('"wallets"'))).toBe(true)
    expect(loaded.filter((text) => /\bhw_\w/.test(text) || text.includes(stack.key))).toEqual([])
  })

  it('connects to another service, shows that a key is invalid, and accepts another one', async ({
    demo,
  }) => {
    demo.allowsFailedRequests = true
    await demo.goto({ address: alice })
    await demo.rows().first().waitFor()
    await demo.byId('connection').locator('summary').click()
    await demo.byId('connection-url').fill(stack.urls.api)
    await demo.byId('connection-key').fill('hw_wrong')
    await demo.byId('connection-submit').click()
    expect(await demo.problem()).toBe('unauthorized')
    await demo.byId('connection-key').fill(stack.key)
    await demo.byId('connection-submit').click()
    await demo.rows().first().waitFor()
    expect(await demo.byId('state-error').count()).toBe(0)
  })

  it('shows that the units of a key are used up', async ({ demo }) => {
    demo.allowsFailedRequests = true
    await demo.intercept('balances', (route) =>
      route.fulfill({
        status: 402,
        headers: { 'access-control-allow-origin': '*' },
        json: { error: { code: 'payment_required', message: 'No units remain.' } },
      }),
    )
    await demo.goto({ address: alice })
    expect(await demo.problem()).toBe('budget')
  })

  it('shows that the service is down, and recovers automatically', async ({ demo }) => {
    demo.allowsFailedRequests = true
    await demo.page.clock.install()
    await takeServiceDown(demo)
    await demo.goto({ address: alice })
    await demo.fastForwardUntil('state-error')
    expect(await demo.problem()).toBe('service-down')
    await demo.stopIntercepting('*')
    await demo.fastForwardUntil('balance-row')
    await demo.byId('state-error').waitFor({ state: 'detached' })
  })

  it('keeps stale data marked as such while the service is down, and retries on request', async ({
    demo,
  }) => {
    demo.allowsFailedRequests = true
    await demo.page.clock.install()
    await demo.goto({ address: alice })
    await demo.rows().first().waitFor()
    // The clock stands still, so that no automatic retry precedes the click.
    await demo.page.clock.pauseAt(await demo.page.evaluate(() => Date.now() + 60_000))
    await takeServiceDown(demo)
    await demo.fastForwardUntil('state-error')
    expect(await demo.problem()).toBe('service-down')
    expect(await demo.rows().count()).toBeGreaterThan(0)
    expect(await demo.byId('updated').innerText()).toMatch(/^Not live/)
    await demo.stopIntercepting('*')
    await demo.byId('state-error').getByRole('button').click()
    await demo.page.clock.resume()
    await demo.byId('state-error').waitFor({ state: 'detached' })
    await expect.poll(() => demo.byId('updated').innerText()).toMatch(/^Live/)
  })

  it('shows that it is offline, and continues when it is online', async ({ demo }) => {
    demo.allowsFailedRequests = true
    await demo.goto({ address: alice })
    await demo.rows().first().waitFor()
    const token = await holding(stack, alice, 31337, 'SHOAL')
    await demo.page.context().setOffline(true)
    await demo.byId('offline-banner').waitFor()
    const amount = () => demo.row(token).getAttribute('data-amount')
    const seen = await amount()
    // The balance changes while offline.
    const treasury = walletOf(stack, 'treasury')
    await transfer(stack.nodes[0], token.address, treasury, alice, 1_234_567n)
    expect(await amount()).toBe(seen)
    await demo.page.context().setOffline(false)
    await demo.byId('offline-banner').waitFor({ state: 'detached' })
    await expect.poll(amount).not.toBe(seen)
    expect(await demo.byId('state-error').count()).toBe(0)
  })

  it('states once that it is offline when a token is not loaded', async ({ demo }) => {
    demo.allowsFailedRequests = true
    await demo.goto({ address: alice })
    const token = await holding(stack, alice, 31337, 'SHOAL')
    await demo.row(token).waitFor()
    await demo.page.context().setOffline(true)
    await demo.byId('offline-banner').waitFor()
    await demo.row(token).getByTestId('token-link').click()
    for (const section of ['token', 'holders']) {
      await demo.page.locator(`section[aria-labelledby=${section}][aria-busy=false]`).waitFor()
    }
    expect(await demo.page.getByText('You are offline.').count()).toBe(1)
    await demo.page.context().setOffline(false)
    await demo.byId('holder-row').first().waitFor()
  })

  it('shows a notice when it is not configured', async ({ demo }) => {
    demo.allowsFailedRequests = true
    await demo.page.route('**/config.json', (route) => route.fulfill({ status: 404, body: '' }))
    await demo.goto()
    expect(await demo.problem()).toBe('other')
  })

  it('shows that its budget is spent, and continues when it is raised', async ({ demo }) => {
    // The lowest budget: three responses for two chains per minute.
    await demo.goto({ address: alice })
    await demo.rows().first().waitFor()
    await demo.byId('meter-toggle').click()
    const slider = demo.byId('budget-slider')
    await slider.press('Home')
    const wallets = stack.wallets.map(({ name }) => name)
    for (const name of wallets) {
      await demo.byId('sample-wallet').getByText(name, { exact: true }).click()
      const isSettled = async () =>
        (await demo.byId('state-error').count()) + (await demo.rows().count()) > 0
      await expect.poll(isSettled).toBe(true)
      if (await demo.byId('state-error').count()) {
        break
      }
    }
    expect(await demo.problem()).toBe('budget')
    await slider.press('End')
    await demo.rows().first().waitFor()
    await demo.byId('state-error').waitFor({ state: 'detached' })
    const wallet = demo.query('address')!
    const isAllShown = async () =>
      (await demo.rows().count()) === (await balancesOf(stack, wallet)).length
    await expect.poll(isAllShown).toBe(true)
  })
})
