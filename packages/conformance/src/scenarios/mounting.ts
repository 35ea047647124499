import { assert } from 'chai'
import { balancesQueryOptions } from '@headwater/core'
import { scenario } from '../Scenario.ts'
import { balances, portfolio, price, usage, waitForChange } from '../views.ts'
import { alice, bob, countRequests, give, interval, native } from './world.ts'

/** Mounting and unmounting. */
export const mounting = [
  scenario('aborts the request in flight when the last component is unmounted', async (stage) => {
    let signal: AbortSignal | null | undefined
    const fetch: typeof globalThis.fetch = (input, init) => {
      signal = init?.signal
      return stage.service.fetch(input, init)
    }
    stage.service.fail({ kind: 'hold' })
    const shown = await stage.mount(stage.createClient({ fetch }), balances(alice))
    assert.isFalse(signal?.aborted)
    await shown.unmount()
    await stage.pass(200)
    assert.isTrue(signal?.aborted)
    assert.deepEqual(shown.rendered(), ['pending'])
  }),

  scenario('sends no request after the last component is unmounted', async (stage) => {
    const client = stage.createClient()
    const shown = await stage.mount(client, balances(alice), balances(alice))
    await shown.update(balances(alice), null)
    await stage.pass(interval)
    assert.equal(countRequests(stage), 2)
    await shown.unmount()
    await stage.pass(3 * interval)
    assert.equal(countRequests(stage), 2)
    const observers = client.queryClient
      .getQueryCache()
      .getAll()
      .map((query) => query.getObserversCount())
    assert.deepEqual(observers, [0])
  }),

  scenario('shows cached data when it is mounted again, without a request', async (stage) => {
    give(stage, alice, 5)
    const client = stage.createClient()
    const shown = await stage.mount(client, balances(alice))
    await shown.update(null)
    await stage.pass(2000)
    assert.isUndefined(shown.text())
    const before = shown.rendered().length
    await shown.update(balances(alice))
    assert.deepEqual(shown.rendered().slice(before), ['success ETH 5'])
    assert.equal(countRequests(stage), 1)
    await stage.pass(interval - 2000)
    assert.equal(countRequests(stage), 2)
  }),

  scenario('keeps the request in flight when it is mounted again at once', async (stage) => {
    give(stage, alice, 5)
    stage.service.fail({ kind: 'slow', delay: 300 })
    const shown = await stage.mount(stage.createClient(), balances(alice))
    await shown.update(null)
    await shown.update(balances(alice))
    await stage.pass(400)
    assert.equal(shown.text(), 'success ETH 5')
    assert.equal(countRequests(stage), 1)
  }),

  scenario('sends one request when it is mounted twice, as StrictMode does', async (stage) => {
    give(stage, alice, 5)
    const shown = await stage.mountTwice(stage.createClient(), balances(alice), usage())
    assert.equal(shown.text(0), 'success ETH 5')
    assert.equal(shown.text(1), '3')
    assert.equal(countRequests(stage), 1)
    await stage.pass(interval)
    assert.equal(countRequests(stage), 2)
  }),

  scenario(
    'sends one request for all streams of a response when it is mounted twice',
    async (stage) => {
      stage.service.setAmount(alice, native(stage), 2n * 10n ** 18n)
      stage.service.setPrice(native(stage), 2000)
      const client = stage.createClient()
      const wallet = { address: alice, chainIds: [1] }
      const shown = await stage.mountTwice(
        client,
        portfolio(wallet),
        price(native(stage)),
        waitForChange(),
      )
      assert.equal(shown.text(0), 'success 4000 of 1 tokens')
      assert.equal(shown.text(1), 'success 2000 of balances')
      assert.equal(shown.text(2), 'idle')
      assert.equal(countRequests(stage), 1)
      const queryOptions = balancesQueryOptions(client, wallet)
      void shown.value('waitForChange', 2).waitForChange(queryOptions)
      await stage.pass(1000)
      assert.equal(shown.text(2), 'pending')
      stage.service.setAmount(alice, native(stage), 3n * 10n ** 18n)
      await stage.pass(3000)
      assert.equal(shown.text(2), 'changed')
      assert.equal(shown.text(0), 'success 6000 of 1 tokens')
    },
  ),

  scenario('shares a request between two components on one wallet', async (stage) => {
    give(stage, alice, 5)
    const shown = await stage.mount(stage.createClient(), balances(alice), balances(alice))
    assert.equal(shown.text(0), 'success ETH 5')
    assert.equal(shown.text(1), 'success ETH 5')
    assert.equal(shown.value('balances', 0).data, shown.value('balances', 1).data)
    await stage.pass(interval)
    assert.equal(countRequests(stage), 2)
  }),

  scenario('shows cached data in a component that is mounted later', async (stage) => {
    give(stage, alice, 5)
    const shown = await stage.mount(stage.createClient(), balances(alice))
    await shown.update(balances(alice), balances(alice))
    assert.deepEqual(shown.rendered(1), ['success ETH 5'])
    assert.equal(countRequests(stage), 1)
  }),

  scenario('shows two wallets side by side', async (stage) => {
    give(stage, alice, 5)
    give(stage, bob, 7)
    const shown = await stage.mount(stage.createClient(), balances(alice), balances(bob))
    assert.equal(shown.text(0), 'success ETH 5')
    assert.equal(shown.text(1), 'success ETH 7')
    give(stage, bob, 8)
    await stage.pass(interval)
    assert.deepEqual(shown.rendered(0), ['pending', 'success ETH 5'])
    assert.deepEqual(shown.rendered(1), ['pending', 'success ETH 7', 'success ETH 8'])
  }),
]
