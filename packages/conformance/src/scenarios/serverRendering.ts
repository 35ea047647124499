import { dehydrate, type DehydratedState, hydrate } from '@tanstack/query-core'
import { assert } from 'chai'
import { scenario } from '../Scenario.ts'
import type { Stage } from '../Stage.ts'
import { balances, portfolio, price, prices, usage, waitForChange } from '../views.ts'
import { alice, bob, countRequests, give, interval, native } from './world.ts'

/** Prefetches a wallet on a server. `hydrateClient` creates a client of a browser with the cache of the server. */
async function prefetch(stage: Stage, address: string) {
  const server = stage.createServerClient()
  await server.queryClient.prefetchQuery(
    stage.serverEntry.balancesQueryOptions(server, { address }),
  )
  // As sent in the page.
  const state = JSON.stringify(dehydrate(server.queryClient))
  return {
    server,
    hydrateClient: () => {
      const client = stage.createClient()
      hydrate(client.queryClient, JSON.parse(state) as DehydratedState)
      return client
    },
  }
}

/** Server rendering and hydration. */
export const serverRendering = [
  scenario('renders prefetched data on a server', async (stage) => {
    give(stage, alice, 5)
    const { server } = await prefetch(stage, alice)
    assert.include(await stage.renderToString(server, balances(alice)), 'success ETH 5')
    assert.equal(countRequests(stage), 1)
  }),

  scenario('renders the data of two users separately on a server', async (stage) => {
    give(stage, alice, 5)
    const { server } = await prefetch(stage, alice)
    const other = await stage.renderToString(stage.createServerClient(), balances(alice))
    assert.include(other, 'pending')
    assert.include(await stage.renderToString(server, balances(alice)), 'success ETH 5')
  }),

  scenario('hydrates a page without a mismatch and without a request', async (stage) => {
    give(stage, alice, 5)
    const { server, hydrateClient } = await prefetch(stage, alice)
    const html = await stage.renderToString(server, balances(alice))
    const shown = await stage.hydrate(html, hydrateClient(), balances(alice))
    await stage.pass(5000)
    assert.deepEqual(shown.rendered(), ['success ETH 5'])
    assert.equal(countRequests(stage), 1)
    give(stage, alice, 6)
    await stage.pass(interval)
    assert.equal(shown.text(), 'success ETH 6')
    assert.equal(countRequests(stage), 2)
  }),

  scenario('hydrates a page without prefetched data, and sends one request', async (stage) => {
    give(stage, alice, 5)
    const html = await stage.renderToString(stage.createServerClient(), balances(alice))
    const shown = await stage.hydrate(html, stage.createClient(), balances(alice))
    assert.deepEqual(shown.rendered(), ['pending', 'success ETH 5'])
    assert.equal(countRequests(stage), 1)
  }),

  scenario('hydrates a page of stale data without a mismatch, then refetches', async (stage) => {
    give(stage, alice, 5)
    const { server, hydrateClient } = await prefetch(stage, alice)
    const html = await stage.renderToString(server, balances(alice))
    await stage.pass(60_000)
    give(stage, alice, 6)
    const shown = await stage.hydrate(html, hydrateClient(), balances(alice))
    assert.deepEqual(shown.rendered(), ['success ETH 5', 'success ETH 6'])
  }),

  scenario('hydrates prices, portfolios and usage without a mismatch', async (stage) => {
    stage.service.setAmount(alice, native(stage), 2n * 10n ** 18n)
    stage.service.setPrice(native(stage), 2000)
    const { server, hydrateClient } = await prefetch(stage, alice)
    const views = [
      price(native(stage)),
      prices([native(stage)]),
      portfolio({ address: alice }),
      balances(bob),
      usage(),
      waitForChange(),
    ]
    const html = await stage.renderToString(server, ...views)
    assert.equal(server.getUsage().spent, 3)
    assert.include(html, 'success 2000 of balances')
    assert.include(html, 'success 4000 of 1 tokens')
    const shown = await stage.hydrate(html, hydrateClient(), ...views)
    assert.deepEqual(shown.rendered(4).slice(0, 1), ['0'])
    assert.equal(shown.text(2), 'success 4000 of 1 tokens')
    // Only for the wallet that the server did not prefetch.
    assert.equal(countRequests(stage), 2)
  }),
]
