// The portfolio of `@headwater/core` over this service.
import { firstValueFrom } from 'rxjs'
import { filter } from 'rxjs/operators'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { createClient, getBalances, type Portfolio, watchPortfolio } from '@headwater/core'
import { openMemoryStore } from '../../test/openMemoryStore.ts'
import { startWalletService, wallet } from '../../test/startWalletService.ts'
import type { Store } from '../store/Store.ts'

let store: Store
beforeAll(async () => {
  store = await openMemoryStore()
})
afterAll(() => store.close())

it('adds up a wallet on two chains to the cent, and reports how reliable the sum is', async () => {
  const service = await startWalletService(store)
  const client = createClient({ baseUrl: service.url, apiKey: service.secret, ssr: false })
  onTestFinished(() => client.destroy())
  const load = async (chainIds: number[]): Promise<Portfolio | undefined> => {
    const stream = watchPortfolio(client, { address: wallet, chainIds, historicalPrices: [1] })
    const settled = stream.pipe(filter(({ status }) => status !== 'pending'))
    return (await firstValueFrom(settled)).data
  }

  const portfolio = await load([7, 8])
  // Chain 7: dollars, 0.5 and 0.25 Ether at 2,000 and 10^-8 of a token at 1. Chain 8: dollars.
  const seven = 1500 + 1000 + 500 + 0.00000001
  expect(portfolio?.chains.map(({ chain_id, value_usd }) => [chain_id, value_usd])).toEqual([
    [7, seven],
    [8, 1500],
  ])
  expect(portfolio).toMatchObject({ value_usd: seven + 1500, complete: true, errors: undefined })

  // Low liquidity: the tokens in a shallow and in a tiny pool. Unpriced: one without a pool and one without decimals.
  const { balances } = await getBalances(client, { address: wallet, chainIds: [7, 8] })
  const low = balances.filter(({ low_liquidity }) => low_liquidity)
  const priced = balances.filter(({ value_usd }) => value_usd !== undefined)
  expect(low).toHaveLength(2)
  expect(portfolio?.tokens).toBe(balances.length)
  expect(portfolio?.pricedShare).toBe(priced.length / balances.length)
  expect(portfolio?.pricedShare).toBeLessThan(1)
  expect(portfolio?.lowLiquidity.tokens).toBe(2)
  expect(portfolio?.lowLiquidity.value_usd).toBeCloseTo(
    low.reduce((sum, { value_usd = 0 }) => sum + value_usd, 0),
  )

  // An hour before, Ether was at 1,000, the token that is priced in it at 0.5, and chain 8 had no block.
  const [change] = portfolio?.changes ?? []
  expect(change?.change_usd).toBe(750 + 0.000000005)
  expect(change?.percent).toBeCloseTo((750 / (seven - 750)) * 100, 6)
  expect(change?.share).toBe(seven / (seven + 1500))

  expect(await load([7, 8, 99])).toMatchObject({
    value_usd: seven + 1500,
    complete: false,
    warnings: [{ code: 'UNSUPPORTED_CHAIN_IDS', chain_ids: [99] }],
  })
})
