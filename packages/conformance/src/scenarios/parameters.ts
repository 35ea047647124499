import { assert } from 'chai'
import { scenario } from '../Scenario.ts'
import type { View } from '../View.ts'
import { balances } from '../views.ts'
import { alice, bob, countRequests, give, interval } from './world.ts'

/** A wallet and its name, so that rows with the name of another wallet are detected. */
const named = (address: string, name: string, options = {}): View => {
  const plain = balances(address, options)
  return { ...plain, write: (value) => `${name}: ${plain.write(value)}` }
}

/** Changes of the parameters of a component. */
export const parameters = [
  scenario('ignores a response of old parameters', async (stage) => {
    give(stage, alice, 5)
    give(stage, bob, 7)
    const release = stage.service.fail({ kind: 'hold', times: 1 })
    const shown = await stage.mount(stage.createClient(), named(alice, 'Alice'))
    await shown.update(named(bob, 'Bob'))
    assert.equal(shown.text(), 'Bob: success ETH 7')
    release()
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
    const requested = stage.service.requests.map(({ parameters }) => parameters['address'])
    assert.deepEqual(requested, [alice, bob, bob, bob, bob])
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

  scenario('sends no request for new objects of equal parameters', async (stage) => {
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

  scenario('shows invalid parameters as an error, and recovers with valid ones', async (stage) => {
    give(stage, alice, 5)
    const shown = await stage.mount(stage.createClient(), named(alice, 'Alice'))
    await shown.update(named('0x12', 'Invalid'))
    await shown.update(named(alice, 'Alice'))
    assert.deepEqual(shown.rendered(), [
      'Alice: pending',
      'Alice: success ETH 5',
      'Invalid: error ! InvalidParameterError',
      'Alice: success ETH 5',
    ])
    assert.equal(countRequests(stage), 1)
  }),

  scenario('compares addresses case-insensitively', async (stage) => {
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
