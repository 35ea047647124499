import { describe, expect } from 'vitest'
import { bindingNames } from '../../scripts/bindings.ts'
import { findCollectible, linkToCollectible } from './demo/collectibles.ts'
import { demoTest } from './demo/demoTest.ts'
import { findAxeViolations } from './demo/findAxeViolations.ts'
import { holding, walletOf } from './demo/wallets.ts'
import { getStack } from './getStack.ts'

const stack = await getStack()
const alice = walletOf(stack, 'alice')
const otto = walletOf(stack, 'otto')

describe.each(bindingNames)('navigation in %s', (framework) => {
  const it = demoTest(stack, framework)

  it('navigates between screens, by the back button and by shared links', async ({ demo }) => {
    const token = await holding(stack, otto, 31337, 'SHOAL').catch(() =>
      holding(stack, otto, 31337, 'HUSD'),
    )
    await demo.goto({ address: otto, chains: '31337' })
    await demo.row(token).getByTestId('token-link').click()
    await demo.byId('holder-row').first().waitFor()
    expect(demo.query('screen')).toBe('token')
    expect(demo.query('chains')).toBe('31337')
    const tokenLink = demo.page.url()
    await demo.byId('nav-collectibles').click()
    const collectible = await findCollectible(stack, otto, ({ chain_id }) => chain_id === 31337)
    await demo.card(collectible).getByRole('link').click()
    await demo.byId('collectible-detail').waitFor()
    expect(demo.query('token')).not.toBe(token.address)
    const collectibleLink = demo.page.url()

    await demo.page.goBack()
    await demo.byId('gallery').waitFor()
    await demo.page.goBack()
    await demo.byId('token-title').waitFor()
    expect(demo.page.url()).toBe(tokenLink)
    await demo.page.goBack()
    await demo.row(token).waitFor()
    await demo.page.goForward()
    await demo.byId('token-title').waitFor()

    // Each link loads its screen directly.
    await demo.page.goto(collectibleLink)
    await demo.byId('collectible-detail').waitFor()
    await demo.page.goto(tokenLink)
    await demo.byId('holder-row').first().waitFor()
    await expect.poll(() => demo.byId('token-title').innerText()).toBe(token.symbol)
  })

  it('links from a holder to its portfolio', async ({ demo }) => {
    const token = await holding(stack, alice, 31337, 'OXBOW')
    await demo.goto({ screen: 'token', chain: 31337, token: token.address })
    const wallet = (await demo.byId('holder-row').first().getAttribute('data-address'))!
    // By its address, as the ranks change at any time.
    const holder = demo.page.locator(`[data-testid=holder-row][data-address="${wallet}"]`)
    await holder.getByRole('link').click()
    await demo.byId('balances-table').waitFor()
    expect(demo.query('address')).toBe(wallet)
    expect(demo.query('screen')).toBeNull()
    expect(await demo.page.getByRole('heading', { level: 1 }).innerText()).toBe(wallet)
  })

  it('starts with a sample wallet, and lists recent wallets', async ({ demo }) => {
    await demo.goto()
    await demo.rows().first().waitFor()
    const sample = demo.byId('sample-wallet').getByText('bob', { exact: true })
    await sample.click()
    await expect.poll(() => demo.query('address')).toBe(walletOf(stack, 'bob'))
    await expect.poll(() => sample.getAttribute('aria-current')).toBe('true')
    const recent = demo.byId('recent-wallet')
    await expect.poll(() => recent.count()).toBe(1)
    expect(await recent.getAttribute('title')).toBe(alice)
    expect(await findAxeViolations(demo.page)).toEqual([])
    await recent.click()
    await expect.poll(() => demo.query('address')).toBe(alice)
  })

  it('keeps theme and number format across visits', async ({ demo }) => {
    await demo.goto({ address: alice })
    await demo.byId('total-value').waitFor()
    const theme = () => demo.page.evaluate(() => document.documentElement.dataset.theme)
    await demo.byId('theme-toggle').click()
    await expect.poll(theme).toBe('dark')
    await demo.byId('settings-locale').selectOption('de-DE')
    const total = () => demo.byId('total-value').innerText()
    await expect.poll(total).toMatch(/^[\d.]+,\d\d\s\$$/)
    await demo.page.reload()
    await demo.byId('total-value').waitFor()
    expect(await theme()).toBe('dark')
    expect(await total()).toMatch(/,\d\d\s\$$/)
  })

  it('sets a title for each screen', async ({ demo }) => {
    const collectible = await findCollectible(stack, otto, ({ chain_id }) => chain_id === 31337)
    const token = await holding(stack, otto, 31337, 'HUSD')
    const titles = []
    for (const place of [
      { screen: 'portfolio' },
      { screen: 'token', chain: 31337, token: token.address },
      { screen: 'collectibles' },
      linkToCollectible(otto, collectible),
    ]) {
      await demo.goto({ address: otto, ...place })
      await demo.page.getByRole('heading', { level: 1 }).waitFor()
      titles.push(await demo.page.title())
    }
    expect(new Set(titles).size).toBe(titles.length)
  })
})
