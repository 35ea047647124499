import { assert } from 'chai'
import { scenario } from '../Scenario.ts'
import { view } from '../View.ts'
import { balances, portfolio, price, prices, wallets, writing } from '../views.ts'
import { alice, bob, countRequests, give, interval, native } from './world.ts'

/** Prices and portfolios. */
export const pricing = [
  scenario('shows a price by one request', async (stage) => {
    stage.service.setPrice(native(stage), 2000)
    const shown = await stage.mount(stage.createClient(), price(native(stage)))
    assert.equal(shown.text(), 'success 2000 of tokenBalance')
    assert.equal(countRequests(stage), 1)
    stage.service.advance()
    stage.service.setPrice(native(stage), 2001)
    await stage.pass(interval)
    assert.deepEqual(shown.rendered(), [
      'pending',
      'success 2000 of tokenBalance',
      'success 2001 of tokenBalance',
    ])
  }),

  scenario('uses the price of balances on the page without a request', async (stage) => {
    give(stage, alice, 5)
    stage.service.setPrice(native(stage), 2000)
    const client = stage.createClient()
    const wallet = balances(alice, {}, { chainIds: [1] })
    const shown = await stage.mount(client, wallet, price(native(stage)))
    assert.equal(shown.text(1), 'success 2000 of balances')
    stage.service.advance()
    stage.service.setPrice(native(stage), 2001)
    await stage.pass(interval)
    assert.equal(shown.text(1), 'success 2001 of balances')
    assert.equal(countRequests(stage), 2)
    assert.deepEqual(client.getUsage().byOperation, { balances: 2 })
  }),

  scenario('requests a price when the balances on the page are unmounted', async (stage) => {
    give(stage, alice, 5)
    stage.service.setPrice(native(stage), 2000)
    const wallet = balances(alice, {}, { chainIds: [1] })
    const shown = await stage.mount(stage.createClient(), price(native(stage)), wallet)
    await shown.update(price(native(stage)), null)
    stage.service.advance()
    stage.service.setPrice(native(stage), 2001)
    await stage.pass(interval)
    assert.match(shown.text()!, /^success 2001 of /)
    assert.equal(countRequests(stage), 2)
  }),

  scenario('shows prices as one list, in the order of the tokens', async (stage) => {
    const { service } = stage
    const tokens = [service.token('WBTC'), native(stage), service.token('USDC')]
    tokens.forEach((token, index) => service.setPrice(token, index + 1))
    const shown = await stage.mount(stage.createClient(), prices(tokens))
    assert.equal(shown.text(), 'success 1, 2, 3')
    await shown.update(prices(tokens.toReversed()))
    assert.equal(shown.text(), 'success 3, 2, 1')
  }),

  scenario('requests only the new price of a list', async (stage) => {
    const { service } = stage
    const tokens = [service.token('WBTC'), native(stage), service.token('USDC')]
    tokens.forEach((token, index) => service.setPrice(token, index + 1))
    const shown = await stage.mount(stage.createClient(), prices(tokens.slice(0, 2)))
    assert.equal(countRequests(stage), 2)
    service.fail({ kind: 'slow', delay: 300 })
    await shown.update(prices(tokens))
    assert.equal(shown.text(), 'success 1, 2, ?')
    await stage.pass(400)
    assert.equal(shown.text(), 'success 1, 2, 3')
    assert.equal(countRequests(stage), 3)
  }),

  scenario('shows placeholder prices as partial data until the response', async (stage) => {
    stage.service.setPrice(native(stage), 2000)
    stage.service.fail({ kind: 'slow', delay: 300 })
    const placeholderData = [
      { price_usd: 1, observedAt: 0, source: 'balances', lowLiquidity: false },
    ] as const
    const list = view('prices', [native(stage)], { placeholderData }, (snapshot) =>
      [
        snapshot.data?.[0]?.price_usd,
        snapshot.isPlaceholderData && 'placeholder',
        snapshot.isPartialData && 'partial',
      ]
        .filter(Boolean)
        .join(' '),
    )
    const shown = await stage.mount(stage.createClient(), list)
    await stage.pass(400)
    assert.deepEqual(shown.rendered(), ['1 placeholder partial', '2000'])
  }),

  scenario('shows that a token has no price', async (stage) => {
    const shown = await stage.mount(stage.createClient(), price(stage.service.token('NOPRICE')))
    assert.equal(shown.text(), 'success undefined of tokenBalance')
  }),

  scenario('shows known prices beside the error of another one', async (stage) => {
    stage.service.setPrice(native(stage), 2000)
    const unknown = { chainId: 1, address: `0x${'1'.repeat(40)}` }
    const shown = await stage.mount(stage.createClient(), prices([unknown, native(stage)]))
    await stage.pass(1000)
    assert.equal(shown.text(), 'success ? ! HttpError, 2000')
    assert.isFalse(shown.rendered().some((text) => text.startsWith('error')))
  }),

  scenario('shows an error instead of prices while all of them fail', async (stage) => {
    const unknown = ['1', '2'].map((digit) => ({ chainId: 1, address: `0x${digit.repeat(40)}` }))
    const shown = await stage.mount(stage.createClient(), prices(unknown))
    await stage.pass(1000)
    assert.equal(shown.text(), 'error ! HttpError')
  }),

  scenario('shows the change of a price', async (stage) => {
    const token = native(stage)
    const changes = view(
      'price',
      token,
      { historicalPrices: [1] },
      writing(({ price_usd, changes = [] }) =>
        [price_usd, ...changes.map(({ percent }) => percent?.toFixed(1))].join(' '),
      ),
    )
    stage.service.setPrice(token, 2000)
    // An hour of blocks.
    stage.service.advance(300)
    stage.service.setPrice(token, 2100)
    const shown = await stage.mount(stage.createClient(), changes)
    await stage.pass(1000)
    assert.equal(shown.text(), 'success 2100 5.0')
  }),

  scenario(
    'renders each of 100 components of one price once per change, with one request',
    async (stage) => {
      const count = 100
      stage.service.setPrice(native(stage), 2000)
      const views = Array.from({ length: count }, () => price(native(stage)))
      const shown = await stage.mount(stage.createClient(), ...views)
      /** The number of renders of each text. */
      const countRenders = () => {
        const counts: Record<string, number> = {}
        for (const text of views.flatMap((_, place) => shown.rendered(place))) {
          counts[text] = (counts[text] ?? 0) + 1
        }
        return counts
      }
      const first = { pending: count, 'success 2000 of tokenBalance': count }
      assert.equal(countRequests(stage), 1)
      assert.deepEqual(countRenders(), first)
      stage.service.advance()
      stage.service.setPrice(native(stage), 2001)
      await stage.pass(interval)
      const both = { ...first, 'success 2001 of tokenBalance': count }
      assert.equal(countRequests(stage), 2)
      assert.deepEqual(countRenders(), both)
      assert.equal(shown.text(0), 'success 2001 of tokenBalance')
      assert.equal(shown.text(count - 1), 'success 2001 of tokenBalance')
      await stage.pass(interval)
      assert.equal(countRequests(stage), 3)
      assert.deepEqual(countRenders(), both)
    },
  ),

  scenario('computes a portfolio from the poll of balances without a request', async (stage) => {
    stage.service.setAmount(alice, native(stage), 2n * 10n ** 18n)
    stage.service.setPrice(native(stage), 2000)
    const wallet = { address: alice, chainIds: [1] }
    const shown = await stage.mount(
      stage.createClient(),
      portfolio(wallet),
      balances(alice, {}, { chainIds: [1] }),
    )
    assert.equal(shown.text(), 'success 4000 of 1 tokens')
    stage.service.advance()
    stage.service.setPrice(native(stage), 2001)
    await stage.pass(interval)
    assert.equal(shown.text(), 'success 4002 of 1 tokens')
    assert.equal(countRequests(stage), 2)
  }),

  scenario(
    'computes one portfolio of several wallets, also while one of them fails',
    async (stage) => {
      const { service } = stage
      const usdc = service.token('USDC')
      service.setPrice(native(stage), 2000)
      service.setPrice(usdc, 1)
      service.setAmount(alice, native(stage), 10n ** 18n)
      service.setAmount(alice, usdc, 10_000_000n)
      service.setAmount(bob, usdc, 5_000_000n)
      const shown = await stage.mount(stage.createClient(), wallets({ alice, bob }))
      await stage.pass(100)
      const all = `ETH ${10n ** 18n}, USDC 15000000`
      assert.equal(shown.text(), `success 2015: alice 2010, bob 5: ${all}: complete`)
      assert.equal(countRequests(stage), 2)
      service.advance()
      service.setPrice(native(stage), 3000)
      service.fail({ status: 404, times: 1 })
      await stage.pass(interval)
      assert.match(shown.text()!, /^success .*: WALLET_FAILED$/)
      service.heal()
      await stage.pass(2 * interval)
      assert.equal(shown.text(), `success 3015: alice 3010, bob 5: ${all}: complete`)
      service.fail({ status: 404 })
      await stage.pass(2 * interval)
      assert.match(shown.text()!, /^error 3015: .* ! HttpError$/)
    },
  ),
]
