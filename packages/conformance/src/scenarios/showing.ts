import { assert } from 'chai'
import { scenario } from '../Scenario.ts'
import { balances } from '../views.ts'
import { alice, bob, countRequests, give, interval } from './world.ts'

/** Pending, successful and failed snapshots. */
export const showing = [
  scenario('is pending at the first render, then shows the response', async (stage) => {
    give(stage, alice, 5)
    stage.service.fail({ kind: 'slow', delay: 300 })
    const shown = await stage.mount(stage.createClient(), balances(alice))
    assert.equal(shown.text(), 'pending')
    await stage.pass(200)
    assert.equal(shown.text(), 'pending')
    await stage.pass(200)
    assert.equal(shown.text(), 'success ETH 5')
    assert.deepEqual(shown.rendered(), ['pending', 'success ETH 5'])
    assert.equal(countRequests(stage), 1)
  }),

  scenario('shows cached data at the first render', async (stage) => {
    give(stage, alice, 5)
    const client = stage.createClient()
    await (await stage.mount(client, balances(alice))).unmount()
    const shown = await stage.mount(client, balances(alice))
    assert.deepEqual(shown.rendered(), ['success ETH 5'])
    assert.equal(countRequests(stage), 1)
  }),

  scenario('shows an empty wallet as success', async (stage) => {
    const shown = await stage.mount(stage.createClient(), balances(alice))
    assert.equal(shown.text(), 'success')
    assert.deepEqual(shown.value('balances').data, [])
  }),

  scenario('shows invalid parameters as an error without a request', async (stage) => {
    const shown = await stage.mount(stage.createClient(), balances('0x12'))
    await stage.pass(interval)
    assert.deepEqual(shown.rendered(), ['error ! InvalidParameterError'])
    assert.equal(countRequests(stage), 0)
  }),

  scenario('retries temporary errors without a render', async (stage) => {
    give(stage, alice, 5)
    stage.service.fail({ status: 503, times: 2 })
    const shown = await stage.mount(stage.createClient(), balances(alice))
    await stage.pass(5000)
    assert.deepEqual(shown.rendered(), ['pending', 'success ETH 5'])
    assert.equal(countRequests(stage), 3)
  }),

  scenario('recovers from an error by a poll', async (stage) => {
    give(stage, alice, 5)
    const recover = stage.service.fail({ kind: 'html', status: 200 })
    const shown = await stage.mount(stage.createClient(), balances(alice))
    assert.equal(shown.text(), 'error ! InvalidResponseError')
    recover()
    await stage.pass(3 * interval)
    assert.deepEqual(shown.rendered(), ['pending', 'error ! InvalidResponseError', 'success ETH 5'])
  }),

  scenario('keeps the rows beside the error of a later poll', async (stage) => {
    give(stage, alice, 5)
    const shown = await stage.mount(stage.createClient(), balances(alice))
    const { data } = shown.value('balances')
    const recover = stage.service.fail({ status: 404 })
    await stage.pass(interval)
    assert.equal(shown.text(), 'error ETH 5 ! HttpError')
    assert.equal(shown.value('balances').data, data)
    recover()
    await stage.pass(3 * interval)
    assert.equal(shown.text(), 'success ETH 5')
  }),

  scenario('shows the error of one of two wallets only there', async (stage) => {
    give(stage, bob, 7)
    stage.service.fail({ status: 404, times: 1 })
    const shown = await stage.mount(stage.createClient(), balances(alice), balances(bob))
    assert.equal(shown.text(0), 'error ! HttpError')
    assert.equal(shown.text(1), 'success ETH 7')
  }),
]
