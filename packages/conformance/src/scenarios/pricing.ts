import { assert } from 'chai'
import { scenario } from '../Scenario.ts'
import { view } from '../View.ts'
import { balances, portfolio, price, prices, writing } from '../views.ts'
import { alice, countRequests, give, interval, native } from './world.ts'

/** Prices, and what follows from them. */
export const pricing = [
  scenario('shows a price, and asks for it alone', async (stage) => {
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

  scenario('takes a price from the balances beside it, which costs nothing', async (stage) => {
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

  scenario('asks for a price itself when the balances beside it leave', async (stage) => {
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

  scenario('shows many prices as one list, in the order asked for', async (stage) => {
    const { service } = stage
    const tokens = [service.token('WBTC'), native(stage), service.token('USDC')]
    tokens.forEach((token, index) => service.setPrice(token, index + 1))
    const shown = await stage.mount(stage.createClient(), prices(tokens))
    assert.equal(shown.text(), 'success 1, 2, 3')
    await shown.update(prices(tokens.toReversed()))
    assert.equal(shown.text(), 'success 3, 2, 1')
  }),

  scenario('asks only for the price that is new in a list', async (stage) => {
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

  scenario('shows that a token has no price', async (stage) => {
    const shown = await stage.mount(stage.createClient(), price(stage.service.token('NOPRICE')))
    assert.equal(shown.text(), 'success undefined of tokenBalance')
  }),

  scenario('shows the prices that are known beside the error of one that is not', async (stage) => {
    stage.service.setPrice(native(stage), 2000)
    const unknown = { chainId: 1, address: `0x${'1'.repeat(40)}` }
    const shown = await stage.mount(stage.createClient(), prices([native(stage), unknown]))
    await stage.pass(1000)
    assert.equal(shown.text(), 'error 2000, ? ! HttpError')
  }),

  scenario('tells how a price changed', async (stage) => {
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

  scenario('never shows the price of the old token under the new one', async (stage) => {
    const tokens = [native(stage), stage.service.token('USDC')] as const
    stage.service.setPrice(tokens[0], 2000)
    stage.service.setPrice(tokens[1], 1)
    const named = (token: (typeof tokens)[number]) => {
      const plain = price(token)
      return { ...plain, write: (value: never) => `${token.symbol} ${plain.write(value)}` }
    }
    const shown = await stage.mount(stage.createClient(), named(tokens[0]))
    stage.service.fail({ kind: 'slow', delay: 300 })
    await shown.update(named(tokens[1]))
    await stage.pass(400)
    assert.deepEqual(shown.rendered(), [
      'ETH pending',
      'ETH success 2000 of tokenBalance',
      'USDC pending',
      'USDC success 1 of tokenBalance',
    ])
  }),

  scenario(
    'renders 1,000 components on one price once a change, for one request',
    async (stage) => {
      const count = 1000
      stage.service.setPrice(native(stage), 2000)
      const views = Array.from({ length: count }, () => price(native(stage)))
      const shown = await stage.mount(stage.createClient(), ...views)
      /** All texts that any of them rendered, with how many did. */
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

  scenario('sums a portfolio from the poll of the balances, at no further cost', async (stage) => {
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
]
