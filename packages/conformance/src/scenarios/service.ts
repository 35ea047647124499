import { assert } from 'chai'
import { scenario } from '../Scenario.ts'
import { balances, tokenBalance } from '../views.ts'
import { alice, countRequests, give, interval } from './world.ts'

/** A page that is hidden or offline, a service that refuses, units that are spent. */
export const service = [
  scenario('rests while the page is hidden, and refreshes once on return', async (stage) => {
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
  }),

  scenario('asks for a first answer on a page that is hidden', async (stage) => {
    give(stage, alice, 5)
    stage.setVisible(false)
    const shown = await stage.mount(stage.createClient(), balances(alice))
    await stage.pass(3 * interval)
    assert.equal(shown.text(), 'success ETH 5')
    assert.equal(countRequests(stage), 1)
  }),

  scenario('does not refresh on return what is fresh', async (stage) => {
    await stage.mount(stage.createClient(), balances(alice))
    stage.setVisible(false)
    await stage.pass(2000)
    stage.setVisible(true)
    await stage.pass(1000)
    assert.equal(countRequests(stage), 1)
  }),

  scenario('rests without a network, and comes back with it', async (stage) => {
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

  scenario('stops polling with a refused key, until somebody asks', async (stage) => {
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

  scenario('stops polling when the quota of the key is spent', async (stage) => {
    give(stage, alice, 5)
    const shown = await stage.mount(stage.createClient(), balances(alice))
    stage.service.fail({ status: 402 })
    await stage.pass(10 * interval)
    assert.equal(shown.text(), 'error ETH 5 ! HttpError')
    assert.equal(countRequests(stage), 2)
  }),

  scenario('waits for as long as Retry-After says', async (stage) => {
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

  scenario('shows what it has when the budget is spent, and says so when asked', async (stage) => {
    give(stage, alice, 5)
    const client = stage.createClient({ budget: { total: 1 } })
    const question = { address: alice, tokenAddress: 'native', chainIds: [1] as [number] }
    const shown = await stage.mount(client, tokenBalance(question))
    give(stage, alice, 6)
    await stage.pass(3 * interval)
    assert.deepEqual(shown.rendered(), ['pending', 'success 5'])
    await shown.value('tokenBalance').refetch()
    await stage.pass(0)
    assert.equal(shown.text(), 'error 5 ! BudgetError')
    assert.equal(countRequests(stage), 1)
    client.setBudget()
    await shown.value('tokenBalance').refetch()
    await stage.pass(0)
    assert.equal(shown.text(), 'success 6')
  }),

  scenario('slows down within a budget before it stops', async (stage) => {
    const client = stage.createClient({ budget: { perMinute: 3 } })
    await stage.mount(client, balances(alice, { refetchInterval: 1000 }, { chainIds: [1] }))
    await stage.pass(10 * 60_000)
    assert.isAtLeast(countRequests(stage), 10)
    assert.isAtMost(countRequests(stage), 3 * 11)
  }),
]
