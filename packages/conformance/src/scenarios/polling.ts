import { assert } from 'chai'
import type { Balance, CollectionOptions, Snapshot } from '@headwater/core'
import { scenario } from '../Scenario.ts'
import { view } from '../View.ts'
import { balances } from '../views.ts'
import { alice, bob, countRequests, give, interval } from './world.ts'

/** Polls and their interval. */
export const polling = [
  scenario('polls, and shows changes', async (stage) => {
    give(stage, alice, 5)
    const shown = await stage.mount(stage.createClient(), balances(alice))
    give(stage, alice, 6)
    await stage.pass(interval)
    give(stage, alice, 7)
    await stage.pass(interval)
    assert.deepEqual(shown.rendered(), [
      'pending',
      'success ETH 5',
      'success ETH 6',
      'success ETH 7',
    ])
    assert.equal(countRequests(stage), 3)
  }),

  scenario('does not render for a poll without changes', async (stage) => {
    give(stage, alice, 5)
    const shown = await stage.mount(stage.createClient(), balances(alice))
    const before = shown.value('balances')
    await stage.pass(5 * interval)
    assert.equal(countRequests(stage), 6)
    assert.deepEqual(shown.rendered(), ['pending', 'success ETH 5'])
    assert.equal(shown.value('balances'), before)
  }),

  scenario('shows isFetching during a poll, and dataUpdatedAt after it', async (stage) => {
    give(stage, alice, 5)
    const client = stage.createClient()
    const quiet = balances(alice)
    const shown = await stage.mount(client, fetching(alice), quiet)
    const { dataUpdatedAt } = shown.value('balances')
    assert.deepEqual(shown.rendered(), ['pending fetching', 'success idle'])
    stage.service.fail({ kind: 'slow', delay: 300 })
    await stage.pass(interval)
    assert.equal(shown.text(), 'success fetching')
    assert.equal(client.queryClient.isFetching(), 1)
    await stage.pass(400)
    assert.equal(shown.text(), 'success idle')
    assert.equal(client.queryClient.isFetching(), 0)
    assert.isAtLeast(shown.value('balances').dataUpdatedAt, dataUpdatedAt + interval)
    // Beside a component that does not read them.
    assert.deepEqual(shown.rendered(1), ['pending', 'success ETH 5'])
  }),

  scenario('shows a disabled stream as idle, and a refetch of it as fetching', async (stage) => {
    give(stage, alice, 5)
    const shown = await stage.mount(stage.createClient(), fetching(alice, { enabled: false }))
    assert.deepEqual(shown.rendered(), ['pending idle'])
    void shown.value('balances').refetch()
    await stage.pass(100)
    assert.deepEqual(shown.rendered(), ['pending idle', 'pending fetching', 'success idle'])
  }),

  scenario('shows the fetch state of prices and portfolios', async (stage) => {
    give(stage, alice, 5)
    const client = stage.createClient()
    const shown = await stage.mount(
      client,
      view('price', { chainId: 1, address: 'native' }, {}, writeFetchState),
      view('portfolio', { address: alice }, {}, writeFetchState),
    )
    await stage.pass(100)
    assert.deepEqual(shown.rendered(0), ['pending fetching', 'success idle'])
    assert.deepEqual(shown.rendered(1), ['pending fetching', 'success idle'])
    assert.isAbove(shown.value('price', 0).dataUpdatedAt, 0)
    const { dataUpdatedAt } = shown.value('portfolio', 1)
    await stage.pass(3 * interval)
    assert.isAbove(shown.value('portfolio', 1).dataUpdatedAt, dataUpdatedAt)
  }),

  scenario('keeps the identity of unchanged rows', async (stage) => {
    give(stage, alice, 5)
    const usdc = stage.service.token('USDC')
    stage.service.setAmount(alice, usdc, 1_000_000n)
    const shown = await stage.mount(stage.createClient(), balances(alice))
    const before = shown.value('balances').data!
    give(stage, alice, 6)
    await stage.pass(interval)
    const after = shown.value('balances').data!
    const find = (rows: typeof before, symbol: string) => rows.find((row) => row.symbol === symbol)
    assert.notEqual(find(after, 'ETH'), find(before, 'ETH'))
    assert.equal(find(after, 'USDC'), find(before, 'USDC'))
  }),

  scenario('polls once for two components, at the shorter interval', async (stage) => {
    give(stage, alice, 5)
    const shown = await stage.mount(
      stage.createClient(),
      balances(alice, { refetchInterval: 60_000 }),
      balances(alice, { refetchInterval: 2000 }),
    )
    await stage.pass(20_900)
    assert.equal(countRequests(stage), 11)
    // The longer interval remains.
    await shown.update(balances(alice, { refetchInterval: 60_000 }), null)
    await stage.pass(20_900)
    assert.equal(countRequests(stage), 11)
  }),

  scenario('does not poll without an interval', async (stage) => {
    give(stage, alice, 5)
    await stage.mount(stage.createClient(), balances(alice, { refetchInterval: false }))
    await stage.pass(10 * interval)
    assert.equal(countRequests(stage), 1)
  }),

  scenario('uses an interval that changes', async (stage) => {
    give(stage, alice, 5)
    const slowly = balances(alice, { refetchInterval: 60_000, staleTime: 60_000 })
    const quickly = balances(alice, { refetchInterval: 1000, staleTime: 60_000 })
    const shown = await stage.mount(stage.createClient(), slowly)
    await stage.pass(10_500)
    assert.equal(countRequests(stage), 1)
    await shown.update(quickly)
    await stage.pass(10_500)
    assert.isAtLeast(countRequests(stage), 11)
    const before = countRequests(stage)
    await shown.update(slowly)
    await stage.pass(10_500)
    assert.equal(countRequests(stage), before)
    // It rendered only for changes of its properties.
    assert.deepEqual(shown.rendered().slice(0, 2), ['pending', 'success ETH 5'])
    assert.isAtMost(shown.rendered().length, 4)
  }),

  scenario('polls by a function of the state, also one of each render', async (stage) => {
    give(stage, alice, 5)
    const endAt = Date.now() + 1500
    const view = () =>
      balances(alice, {
        refetchInterval: ({ state }) => (state.dataUpdatedAt >= endAt ? false : 1000),
      })
    const shown = await stage.mount(stage.createClient(), view())
    await stage.pass(1100)
    await shown.update(view())
    await shown.update(view())
    await stage.pass(10 * interval)
    assert.equal(countRequests(stage), 3)
    assert.isAtMost(shown.rendered().length, 4)
  }),

  scenario('refetches by the options for focus and reconnect', async (stage) => {
    const client = stage.createClient()
    const eager = balances(alice, { refetchInterval: false, refetchOnWindowFocus: 'always' })
    const patient = balances(bob, { refetchOnWindowFocus: false, refetchOnReconnect: false })
    await stage.mount(client, eager, patient)
    assert.equal(countRequests(stage), 2)
    stage.setVisible(false)
    await stage.pass(3 * interval)
    stage.setVisible(true)
    await stage.pass(0)
    assert.equal(countRequests(stage), 3)
    await stage.pass(interval)
    assert.equal(countRequests(stage), 4)
  }),

  scenario('retries by the options of the stream, else by those of the client', async (stage) => {
    stage.service.fail({ status: 503 })
    const queries = { refetchInterval: false, retry: 1, retryDelay: 100 } as const
    const client = stage.createClient({ defaultOptions: { queries } })
    const shown = await stage.mount(client, balances(alice))
    await stage.pass(interval)
    assert.equal(shown.text(), 'error ! HttpError')
    assert.equal(countRequests(stage), 2)
    await shown.update(balances(bob, { retry: false }))
    await stage.pass(interval)
    assert.equal(countRequests(stage), 3)
  }),
]

const writeFetchState = ({ status, fetchStatus, isFetching }: Snapshot<unknown>): string => {
  assert.equal(isFetching, fetchStatus === 'fetching')
  return `${status} ${fetchStatus}`
}

const fetching = (address: string, options: CollectionOptions<Balance> = {}) =>
  view('balances', { address }, options, writeFetchState)
