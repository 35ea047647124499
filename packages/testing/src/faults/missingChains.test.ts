import { expect, it } from 'vitest'
import { createClient, estimateUnits, getBalances, watchPortfolio } from '@headwater/core'
import { createFakeService } from '../createFakeService.ts'

const service = createFakeService()
const { address } = service.wallet('everyday')
const chainIds = [1, 8453]
const create = () =>
  createClient({ baseUrl: service.url, apiKey: service.key, fetch: service.fetch })

it('reports a missing chain beside the others, and charges only those', async () => {
  const client = create()
  const whole = await getBalances(client, { address, chainIds })
  expect(new Set(whole.balances.map(({ chain_id }) => chain_id))).toEqual(new Set(chainIds))
  const heal = service.fail({ kind: 'chain', chainId: 8453, code: undefined, times: undefined })
  const { balances, errors, warnings } = await getBalances(client, { address, chainIds })
  expect(balances).toEqual(whole.balances.filter(({ chain_id }) => chain_id === 1))
  expect(errors?.chain_errors).toMatchObject([{ chain_id: 8453, code: 'CHAIN_STOPPED' }])
  expect(warnings).toMatchObject([{ chain_id: 8453, code: 'CHAIN_STOPPED' }])
  expect(service.requests.at(-1)?.units).toBe(1)
  expect(estimateUnits('balances', { address, chainIds }, client)).toBe(1)
  expect(await getBalances(client, { address, chainIds: [1] })).not.toHaveProperty('warnings')
  await expect(getBalances(client, { address, chainIds: [8453] })).rejects.toMatchObject({
    name: 'HttpError',
    status: 503,
    code: 'CHAIN_STOPPED',
  })
  heal()
  expect((await getBalances(client, { address, chainIds })).balances).toEqual(whole.balances)
  expect(estimateUnits('balances', { address, chainIds }, client)).toBe(2)
  client.destroy()
})

it.each(['CHAIN_NOT_READY', 'STALE_CHAIN'] as const)(
  'makes portfolios incomplete with %s',
  async (code) => {
    const client = create()
    const heal = service.fail({ kind: 'chain', chainId: 8453, code })
    const portfolio$ = watchPortfolio(client, { address, chainIds })
    const subscription = portfolio$.subscribe()
    await portfolio$.getSnapshot().refetch()
    const { data, error } = portfolio$.getSnapshot()
    expect(error).toBeNull()
    expect(data).toMatchObject({ complete: false, warnings: [{ code, chain_id: 8453 }] })
    expect(data?.chains.map(({ chain_id }) => chain_id).sort()).toEqual(
      code === 'STALE_CHAIN' ? [1, 8453] : [1],
    )
    if (code === 'STALE_CHAIN') {
      expect(data?.warnings).toMatchObject([
        { block_number: expect.any(Number) as number, block_time: '2026-01-01T00:00:00Z' },
      ])
    }
    heal()
    await portfolio$.getSnapshot().refetch()
    expect(portfolio$.getSnapshot().data).toMatchObject({ complete: true, warnings: [] })
    subscription.unsubscribe()
    client.destroy()
  },
)
