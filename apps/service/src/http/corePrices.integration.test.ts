// The price streams of `@headwater/core` with this service.
import { firstValueFrom } from 'rxjs'
import { filter } from 'rxjs/operators'
import { expect, it, onTestFinished } from 'vitest'
import { createClient, getBalances, watchPrice, watchPrices } from '@headwater/core'
import { openMemoryStore } from '../../test/openMemoryStore.ts'
import { seedChain, testAddress, testBlockHash } from '../../test/seedChain.ts'
import { startBalanceNode } from '../../test/startBalanceNode.ts'
import { startTestService } from '../../test/startTestService.ts'
import { chainSeven, held, wallet } from '../../test/startWalletService.ts'
import { testChainConfig, testTokens } from '../../test/testChainConfig.ts'

async function start() {
  const store = await openMemoryStore()
  onTestFinished(() => store.close())
  await seedChain(store.db, chainSeven)
  const node = await startBalanceNode({ [testBlockHash(7, 3)]: {} })
  const service = await startTestService(store, [
    testChainConfig(7, { rpcUrls: [node.url], tags: ['default'] }),
  ])
  const client = createClient({ baseUrl: service.url, apiKey: service.secret, ssr: false })
  onTestFinished(() => client.destroy())
  return client
}

it('loads prices of tokens, of the native asset and of an unpriced token for one unit each', async () => {
  const client = await start()
  const addresses = [testTokens.weth, 'native', held.unpriced]
  const tokens = addresses.map((address) => ({ chainId: 7, address }))
  const prices = watchPrices(client, tokens, { refetchInterval: false, historicalPrices: [1] })
  const { data } = await firstValueFrom(
    prices.pipe(filter(({ data }) => data?.every((tick) => tick !== undefined) === true)),
  )
  expect(data).toMatchObject([
    { price_usd: 2000, source: 'tokenBalance', lowLiquidity: false },
    { price_usd: 2000, source: 'tokenBalance' },
    { source: 'tokenBalance', lowLiquidity: false },
  ])
  expect(data?.[2]).not.toHaveProperty('price_usd')
  // The same response contained the historical price.
  expect(data?.[0]?.historical_prices).toHaveLength(1)
  expect(client.getUsage()).toMatchObject({ spent: 3, byOperation: { tokenBalance: 3 } })
})

it('loads the prices of a whole wallet for one unit, and reports an unknown token as an error', async () => {
  const client = await start()
  const tokens = [testTokens.weth, held.deep].map((address) => ({ chainId: 7, address }))
  const prices = watchPrices(client, tokens, { refetchInterval: 1000 })
  const { balances } = await getBalances(client, { address: wallet, chainIds: [7] })
  const priceOf = (address: string) => balances.find((each) => each.address === address)?.price_usd
  const seen = firstValueFrom(prices.pipe(filter(({ status }) => status === 'success')))
  expect((await seen).data?.map((tick) => tick?.price_usd)).toEqual([
    priceOf(testTokens.weth),
    priceOf(held.deep),
  ])
  expect(client.getUsage().spent).toBe(1)
  await prices.getSnapshot().refetch()
  expect(client.getUsage()).toMatchObject({ spent: 2, byOperation: { balances: 2 } })

  const unknown = watchPrice(client, { chainId: 7, address: testAddress(0xdead) })
  expect(
    await firstValueFrom(unknown.pipe(filter(({ status }) => status !== 'pending'))),
  ).toMatchObject({ status: 'error', error: { status: 404, code: 'TOKEN_NOT_FOUND' } })
  expect(client.getUsage().spent).toBe(2)
})
