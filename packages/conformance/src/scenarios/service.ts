import { assert } from 'chai'
import { setBudget } from '@headwater/core'
import { scenario } from '../Scenario.ts'
import { balances, tokenBalance } from '../views.ts'
import { alice, bob, countRequests, give, interval } from './world.ts'

/** Hidden and offline pages, errors of the service, and budgets. */
export const service = [
  scenario(
    'does not poll while the page is hidden, and refetches once when it is visible',
    async (stage) => {
      give(stage, alice, 5)
      const shown = await stage.mount(stage.createClient(), balances(alice), balances(alice))
      stage.setVisible(false)
      give(stage, alice, 6)
      await stage.pass(5 * interval)
      assert.equal(countRequests(stage), 1)
      assert.equal(shown.text(), 'success ETH 5')
      stage.setVisible(true)
      await stage.pass(0)
      assert.equal(countRequests(stage), 2)
      assert.equal(shown.text(), 'success ETH 6')
    },
  ),

  scenario('sends the first request on a hidden page', async (stage) => {
    give(stage, alice, 5)
    stage.setVisible(false)
    const shown = await stage.mount(stage.createClient(), balances(alice))
    await stage.pass(3 * interval)
    assert.equal(shown.text(), 'success ETH 5')
    assert.equal(countRequests(stage), 1)
  }),

  scenario('does not refetch fresh data when the page is visible again', async (stage) => {
    await stage.mount(stage.createClient(), balances(alice))
    stage.setVisible(false)
    await stage.pass(2000)
    stage.setVisible(true)
    await stage.pass(1000)
    assert.equal(countRequests(stage), 1)
  }),

  scenario('loads a page that was opened offline once the browser is online', async (stage) => {
    give(stage, alice, 5)
    const heal = stage.service.fail({ kind: 'network' })
    const shown = await stage.mount(
      stage.createClient(),
      balances(alice),
      balances(bob, { refetchOnReconnect: false }),
    )
    await stage.pass(9000)
    assert.include(shown.text(), 'error')
    heal()
    stage.setOnline(true)
    await stage.pass(100)
    assert.equal(shown.text(0), 'success ETH 5')
    assert.include(shown.text(1), 'error')
  }),

  scenario('does not poll while offline, and refetches when it is online', async (stage) => {
    give(stage, alice, 5)
    const shown = await stage.mount(stage.createClient(), balances(alice))
    stage.service.fail({ kind: 'network' })
    stage.setOnline(false)
    await stage.pass(30_000)
    assert.equal(shown.text(), 'error ETH 5 ! NetworkError')
    const before = countRequests(stage)
    await stage.pass(10 * interval)
    assert.equal(countRequests(stage), before)
    stage.service.heal()
    give(stage, alice, 6)
    stage.setOnline(true)
    await stage.pass(5000)
    assert.equal(shown.text(), 'success ETH 6')
    assert.equal(countRequests(stage), before + 1)
  }),

  scenario('stops polling with an invalid key until a refetch', async (stage) => {
    give(stage, alice, 5)
    const heal = stage.service.fail({ status: 401 })
    const shown = await stage.mount(stage.createClient(), balances(alice))
    assert.equal(shown.text(), 'error ! HttpError')
    await stage.pass(10 * interval)
    assert.equal(countRequests(stage), 1)
    heal()
    await shown.value('balances').refetch()
    await stage.pass(interval)
    assert.equal(shown.text(), 'success ETH 5')
    assert.equal(countRequests(stage), 3)
  }),

  scenario('stops polling when the quota of the key is exhausted', async (stage) => {
    give(stage, alice, 5)
    const shown = await stage.mount(stage.createClient(), balances(alice))
    stage.service.fail({ status: 402 })
    await stage.pass(10 * interval)
    assert.equal(shown.text(), 'error ETH 5 ! HttpError')
    assert.equal(countRequests(stage), 2)
  }),

  scenario('waits for the time of Retry-After', async (stage) => {
    give(stage, alice, 5)
    stage.service.fail({ status: 429, retryAfter: 60, times: 1 })
    const shown = await stage.mount(stage.createClient(), balances(alice))
    assert.equal(shown.text(), 'error ! HttpError')
    await stage.pass(59_000)
    assert.equal(countRequests(stage), 1)
    await stage.pass(2000)
    assert.equal(countRequests(stage), 2)
    assert.equal(shown.text(), 'success ETH 5')
  }),

  scenario(
    'keeps its data when the budget is exhausted, and shows the error of a refetch',
    async (stage) => {
      give(stage, alice, 5)
      const client = stage.createClient()
      setBudget(client, { total: 1 })
      const parameters = { address: alice, tokenAddress: 'native', chainIds: [1] as [number] }
      const shown = await stage.mount(client, tokenBalance(parameters))
      give(stage, alice, 6)
      await stage.pass(3 * interval)
      assert.deepEqual(shown.rendered(), ['pending', 'success 5'])
      await shown.value('tokenBalance').refetch()
      await stage.pass(0)
      assert.equal(shown.text(), 'error 5 ! BudgetError')
      assert.equal(countRequests(stage), 1)
      setBudget(client)
      await shown.value('tokenBalance').refetch()
      await stage.pass(0)
      assert.equal(shown.text(), 'success 6')
    },
  ),

  scenario('polls less often within a budget', async (stage) => {
    const client = stage.createClient()
    setBudget(client, { perMinute: 3 })
    await stage.mount(client, balances(alice, { refetchInterval: 1000 }, { chainIds: [1] }))
    await stage.pass(10 * 60_000)
    assert.isAtLeast(countRequests(stage), 10)
    assert.isAtMost(countRequests(stage), 3 * 11)
  }),
]
