import { QueryObserver } from '@tanstack/query-core'
import { assert } from 'chai'
import { balancesQueryOptions, type BalancesResponse } from '@headwater/core'
import { scenario } from '../Scenario.ts'
import { balances } from '../views.ts'
import { alice, countRequests, give, interval } from './world.ts'

/** Shared caches, and destroyed clients. */
export const clients = [
  scenario('shares the query client of the app', async (stage) => {
    give(stage, alice, 5)
    const queryClient = stage.createQueryClient()
    const client = stage.createClient({ queryClient })
    const options = balancesQueryOptions(client, { address: alice })
    const shown = await stage.mount(client, balances(alice))
    assert.equal(queryClient.getQueryData<BalancesResponse>(options.queryKey)?.balances.length, 1)
    const observer = new QueryObserver(queryClient, { ...options, staleTime: 60_000 })
    const leave = observer.subscribe(() => {})
    await stage.pass(0)
    assert.equal(observer.getCurrentResult().data?.balances[0]?.amount, '5')
    assert.equal(countRequests(stage), 1)
    give(stage, alice, 6)
    await queryClient.invalidateQueries({ queryKey: options.queryKey })
    await stage.pass(0)
    assert.equal(shown.text(), 'success ETH 6')
    assert.equal(countRequests(stage), 2)
    leave()
  }),

  scenario('shows data that the app writes to its query client', async (stage) => {
    give(stage, alice, 5)
    const queryClient = stage.createQueryClient()
    const client = stage.createClient({ queryClient })
    const { queryKey } = balancesQueryOptions(client, { address: alice })
    const shown = await stage.mount(client, balances(alice))
    queryClient.setQueryData<BalancesResponse>(queryKey, (response) => ({
      ...response!,
      balances: response!.balances.map((row) => ({ ...row, amount: '9' })),
    }))
    await stage.pass(0)
    assert.equal(shown.text(), 'success ETH 9')
    assert.equal(countRequests(stage), 1)
  }),

  scenario('shares requests between two clients on one query client', async (stage) => {
    give(stage, alice, 5)
    const queryClient = stage.createQueryClient()
    const [one, two] = [1, 2].map(() => stage.createClient({ queryClient }))
    const shown = await stage.mount(
      undefined,
      balances(alice, { client: one! }),
      balances(alice, { client: two! }),
    )
    assert.equal(shown.text(0), 'success ETH 5')
    assert.equal(shown.text(1), 'success ETH 5')
    assert.equal(countRequests(stage), 1)
  }),

  scenario(
    'keeps its snapshot and sends no request after its client is destroyed',
    async (stage) => {
      give(stage, alice, 5)
      const client = stage.createClient({ queryClient: stage.createQueryClient() })
      const shown = await stage.mount(client, balances(alice))
      client.destroy()
      await stage.pass(3 * interval)
      assert.equal(shown.text(), 'success ETH 5')
      assert.equal(countRequests(stage), 1)
      await shown.update(balances(alice), balances(alice))
      assert.equal(shown.text(1), 'success ETH 5')
      await stage.pass(3 * interval)
      assert.equal(countRequests(stage), 1)
    },
  ),
]
