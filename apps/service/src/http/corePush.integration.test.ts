import { expect, it } from 'vitest'
import { createClient, watchBalances } from '@headwater/core'
import { openSharedStore } from '../../test/describeEachStore.ts'
import { FakeChain } from '../../test/FakeChain.ts'
import { testAddress } from '../../test/seedChain.ts'
import { startIndexedChain } from '../../test/startIndexedChain.ts'
import { startTestService } from '../../test/startTestService.ts'

const chainId = 7
const [zero, token, wallet] = [0, 0x500, 0x600].map(testAddress) as [
  `0x${string}`,
  `0x${string}`,
  `0x${string}`,
]

it('delivers a transfer to a client that does not poll', async ({ onTestFinished }) => {
  const chain = new FakeChain()
  chain.mine([{ type: 'transfer', token, from: zero, to: wallet, amount: 1n }])
  const store = await openSharedStore('pglite')
  const config = await startIndexedChain(store, chain, chainId)
  const { url, secret } = await startTestService(store, [config])
  const requests: string[] = []
  const client = createClient({
    baseUrl: url,
    apiKey: secret,
    ssr: false,
    fetch: async (input, init) => {
      requests.push(String(input))
      return await fetch(input, init)
    },
  })
  onTestFinished(() => client.destroy())
  const states: string[] = []
  client.connection$.subscribe((state) => states.push(state))
  const amounts: string[] = []
  const options = { refetchInterval: 3_600_000 }
  watchBalances(client, { address: wallet, chainIds: [chainId] }, options).subscribe(({ data }) => {
    const amount = data?.find(({ address }) => address === token)?.amount
    if (amount !== undefined && amount !== amounts.at(-1)) {
      amounts.push(amount)
    }
  })
  await expect.poll(() => states).toEqual(['polling', 'live'])
  chain.mine([{ type: 'transfer', token, from: zero, to: wallet, amount: 2n }])
  await expect.poll(() => amounts).toEqual(['1', '3'])
  expect(requests.filter((each) => each.includes('/balances/'))).toHaveLength(2)
})
