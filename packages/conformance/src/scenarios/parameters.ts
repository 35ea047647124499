import { assert } from 'chai'
import { scenario } from '../Scenario.ts'
import type { View } from '../View.ts'
import { balances } from '../views.ts'
import { alice, bob, countRequests, give, interval } from './world.ts'

/** A wallet under its name, so that rows under another name are seen. */
const named = (address: string, name: string, options = {}): View => {
  const plain = balances(address, options)
  return { ...plain, write: (value) => `${name}: ${plain.write(value)}` }
}

/** What becomes of a component whose parameters change. */
export const parameters = [
  scenario('does not show an answer that comes after its wallet has gone', async (stage) => {
    give(stage, alice, 5)
    give(stage, bob, 7)
    const answer = stage.service.fail({ kind: 'hold', times: 1 })
    const shown = await stage.mount(stage.createClient(), named(alice, 'Alice'))
    await shown.update(named(bob, 'Bob'))
    assert.equal(shown.text(), 'Bob: success ETH 7')
    answer()
    await stage.pass(interval)
    assert.equal(shown.text(), 'Bob: success ETH 7')
    assert.notInclude(shown.rendered().join(), 'ETH 5')
  }),

  scenario('does not keep the error of the old wallet', async (stage) => {
    give(stage, bob, 7)
    stage.service.fail({ status: 404, times: 1 })
    const shown = await stage.mount(stage.createClient(), named(alice, 'Alice'))
    assert.equal(shown.text(), 'Alice: error ! HttpError')
    await shown.update(named(bob, 'Bob'))
    assert.equal(shown.text(), 'Bob: success ETH 7')
    assert.notInclude(shown.rendered().join(), 'Bob: error')
  }),

  scenario('stops polling for the old wallet', async (stage) => {
    const shown = await stage.mount(stage.createClient(), named(alice, 'Alice'))
    await shown.update(named(bob, 'Bob'))
    await stage.pass(3 * interval)
    const asked = stage.service.requests.map(({ parameters }) => parameters['address'])
    assert.deepEqual(asked, [alice, bob, bob, bob, bob])
  }),

  scenario('sends one request when several parameters change together', async (stage) => {
    const shown = await stage.mount(stage.createClient(), balances(alice, {}, { chainIds: [1] }))
    await shown.update(balances(bob, {}, { chainIds: [8453], filters: 'native' }))
    assert.equal(countRequests(stage), 2)
    assert.deepInclude(stage.service.requests[1]!.parameters, {
      address: bob,
      chainIds: [8453],
      filters: 'native',
    })
  }),

  scenario('asks nothing for new objects that say the same', async (stage) => {
    give(stage, alice, 5)
    const shown = await stage.mount(
      stage.createClient(),
      balances(alice, {}, { chainIds: [1, 8453] }),
    )
    const before = shown.value('balances')
    await shown.update(balances(alice, {}, { chainIds: [1, 8453] }))
    await shown.update(balances(alice, {}, { chainIds: [1, 8453] }))
    assert.equal(shown.value('balances'), before)
    assert.equal(countRequests(stage), 1)
  }),

  scenario('shows what is wrong with parameters, and recovers with right ones', async (stage) => {
    give(stage, alice, 5)
    const shown = await stage.mount(stage.createClient(), named(alice, 'Alice'))
    await shown.update(named('0x12', 'Nobody'))
    await shown.update(named(alice, 'Alice'))
    assert.deepEqual(shown.rendered(), [
      'Alice: pending',
      'Alice: success ETH 5',
      'Nobody: error ! InvalidParameterError',
      'Alice: success ETH 5',
    ])
    assert.equal(countRequests(stage), 1)
  }),

  scenario('takes an address in any case for the same', async (stage) => {
    give(stage, alice, 5)
    const shown = await stage.mount(
      stage.createClient(),
      balances(alice),
      balances(alice.toUpperCase().replace('X', 'x')),
    )
    assert.equal(shown.text(1), 'success ETH 5')
    assert.equal(countRequests(stage), 1)
  }),
]
