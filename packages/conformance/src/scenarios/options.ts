import { keepPreviousData } from '@tanstack/query-core'
import { assert } from 'chai'
import type { Balance } from '@headwater/core'
import { scenario } from '../Scenario.ts'
import { view } from '../View.ts'
import { balances, writing } from '../views.ts'
import { alice, bob, countRequests, give, interval } from './world.ts'

/** Options of a stream, and changes of them. */
export const options = [
  scenario('keeps its snapshot and stops polling when it is disabled', async (stage) => {
    give(stage, alice, 5)
    const shown = await stage.mount(stage.createClient(), balances(alice))
    await shown.update(balances(alice, { enabled: false }))
    await stage.pass(3 * interval)
    assert.equal(shown.text(), 'success ETH 5')
    assert.equal(countRequests(stage), 1)
    await shown.update(balances(alice))
    assert.equal(countRequests(stage), 2)
  }),

  scenario('shows the result of select', async (stage) => {
    give(stage, alice, 5)
    const select = (rows: readonly Balance[]) => rows.map(({ symbol }) => symbol)
    const shown = await stage.mount(stage.createClient(), selected(select))
    assert.equal(shown.text(), 'success ["ETH"]')
  }),

  scenario('does not render for a change that select ignores', async (stage) => {
    give(stage, alice, 5)
    const select = (rows: readonly Balance[]) => rows.map(({ symbol }) => symbol)
    const shown = await stage.mount(stage.createClient(), selected(select))
    give(stage, alice, 6)
    await stage.pass(interval)
    assert.equal(countRequests(stage), 2)
    assert.deepEqual(shown.rendered(), ['pending', 'success ["ETH"]'])
  }),

  scenario('shows an error of select as a state', async (stage) => {
    give(stage, alice, 5)
    const select = () => {
      throw new Error('Error of select')
    }
    const shown = await stage.mount(stage.createClient(), selected(select))
    assert.equal(shown.value('balances').status, 'error')
    assert.include(shown.value('balances').error?.details, 'Error of select')
  }),

  scenario('uses a select that changes', async (stage) => {
    give(stage, alice, 5)
    const count = (rows: readonly Balance[]) => rows.length
    const first = (rows: readonly Balance[]) => rows[0]?.amount
    const shown = await stage.mount(stage.createClient(), selected(count))
    assert.equal(shown.text(), 'success 1')
    await shown.update(selected(first))
    assert.equal(shown.text(), 'success "5"')
    assert.equal(countRequests(stage), 1)
  }),

  scenario('keeps the identity of an equal result when select is a new function', async (stage) => {
    give(stage, alice, 5)
    const symbols = () => selected((rows) => rows.map(({ symbol }) => symbol))
    const shown = await stage.mount(stage.createClient(), symbols())
    const before = shown.value('balances').data
    assert.equal(shown.text(), 'success ["ETH"]')
    for (let render = 0; render < 5; render++) {
      await shown.update(symbols())
      await stage.pass(200)
    }
    assert.equal(shown.value('balances').data, before)
    assert.equal(countRequests(stage), 1)
  }),

  scenario('keeps the identity of equal placeholderData', async (stage) => {
    stage.service.fail({ kind: 'slow', delay: 300 })
    const empty = () => balances(alice, { placeholderData: [] })
    const shown = await stage.mount(stage.createClient(), empty())
    const before = shown.value('balances').data
    await shown.update(empty())
    assert.include(shown.text(), 'success placeholder')
    assert.equal(shown.value('balances').data, before)
    await stage.pass(400)
  }),

  scenario('shows the data of the previous parameters with keepPreviousData', async (stage) => {
    give(stage, alice, 5)
    give(stage, bob, 7)
    const options = { placeholderData: keepPreviousData }
    const shown = await stage.mount(stage.createClient(), balances(alice, options))
    stage.service.fail({ kind: 'slow', delay: 300 })
    await shown.update(balances(bob, options))
    await stage.pass(400)
    // Back to cached data, which needs no placeholder.
    await shown.update(balances(alice, options))
    assert.deepEqual(withoutRepetitions(shown.rendered()), [
      'pending',
      'success ETH 5',
      'success placeholder ETH 5',
      'success ETH 7',
      'success ETH 5',
    ])
  }),

  scenario('does not show the data of the previous parameters beside an error', async (stage) => {
    give(stage, alice, 5)
    const options = { placeholderData: keepPreviousData }
    const shown = await stage.mount(stage.createClient(), balances(alice, options))
    stage.service.fail({ status: 401 })
    await shown.update(balances(bob, options))
    assert.equal(shown.text(), 'error ! HttpError')
  }),

  scenario('shows placeholderData until the response', async (stage) => {
    give(stage, alice, 5)
    const placeholderData: readonly Balance[] = [
      { chain_id: 1, address: 'native', symbol: 'ETH', amount: '1' },
    ]
    stage.service.fail({ kind: 'slow', delay: 300 })
    const shown = await stage.mount(stage.createClient(), balances(alice, { placeholderData }))
    await stage.pass(400)
    assert.deepEqual(shown.rendered(), ['success placeholder ETH 1', 'success ETH 5'])
  }),

  scenario('refetches on mount only stale data', async (stage) => {
    const client = stage.createClient()
    const fresh = balances(alice, { refetchInterval: false, staleTime: 60_000 })
    const stale = balances(alice, { refetchInterval: false, staleTime: 0 })
    await (await stage.mount(client, fresh)).unmount()
    await stage.pass(30_000)
    await (await stage.mount(client, fresh)).unmount()
    assert.equal(countRequests(stage), 1)
    // A component that is mounted immediately would keep the subscription of the last one.
    await stage.pass(1000)
    await stage.mount(client, stale)
    assert.equal(countRequests(stage), 2)
  }),

  scenario('removes data without subscribers after gcTime', async (stage) => {
    give(stage, alice, 5)
    const client = stage.createClient()
    const view = balances(alice, { gcTime: 1000 })
    await (await stage.mount(client, view)).unmount()
    await stage.pass(5000)
    const shown = await stage.mount(client, view)
    assert.deepEqual(shown.rendered(), ['pending', 'success ETH 5'])
    assert.equal(countRequests(stage), 2)
  }),

  scenario('prefers the client of the options to the provided one', async (stage) => {
    give(stage, alice, 5)
    const above = stage.createClient()
    const own = stage.createClient()
    const shown = await stage.mount(above, balances(alice, { client: own }))
    assert.equal(shown.text(), 'success ETH 5')
    assert.equal(above.getUsage().spent, 0)
    assert.equal(own.getUsage().spent, 3)
  }),

  scenario('returns to the provided client when that of the options is removed', async (stage) => {
    give(stage, alice, 5)
    const above = stage.createClient()
    const own = stage.createClient({ apiKey: 'wrong' })
    const shown = await stage.mount(above, balances(alice, { client: own }))
    assert.equal(shown.text(), 'error ! HttpError')
    await shown.update(balances(alice))
    assert.equal(shown.text(), 'success ETH 5')
    assert.equal(above.getUsage().spent, 3)
  }),
]

const selected = (select: (rows: readonly Balance[]) => unknown) =>
  view(
    'balances',
    { address: alice },
    { select: select as (rows: readonly Balance[]) => readonly Balance[] },
    writing((made) => JSON.stringify(made)),
  )

/** Without texts that equal the one before. */
const withoutRepetitions = (texts: readonly string[]) =>
  texts.filter((text, position) => text !== texts[position - 1])
