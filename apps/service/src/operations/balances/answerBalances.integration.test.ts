import type { Balance, BalancesResponse } from '@headwater/contract'
import { type Devnet, type DevnetChain, startDevnet } from '@headwater/devnet'
import { pino } from 'pino'
import { decodeFunctionResult, encodeFunctionData, erc20Abi, parseAbi } from 'viem'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { runChain } from '../../cli/runChain.ts'
import { parseConfig } from '../../config/parseConfig.ts'
import { ChainNode } from '../../rpc/ChainNode.ts'
import type { Store } from '../../store/Store.ts'
import { createTestMedia } from '../../testing/createTestMedia.ts'
import { describeEachStore } from '../../testing/describeEachStore.ts'
import { startTestService, type TestService } from '../../testing/startTestService.ts'

// Two chains, from their making to a reorg, on a machine that may be busy.
vi.setConfig({ testTimeout: 120_000 })

let devnet: Devnet
beforeAll(async () => {
  devnet = await startDevnet({ ports: [0, 0], days: 2, live: false })
})
afterAll(() => devnet.stop())

const pairAbi = parseAbi([
  'function getReserves() view returns (uint112 reserve0, uint112 reserve1, uint32)',
  'function token0() view returns (address)',
])

/** Indexes both chains into the store and serves them, while the test runs. */
async function indexed(store: Store, test: (service: TestService) => Promise<void>) {
  const file = JSON.stringify({ chains: devnet.chains.map(({ config }) => config) })
  const { chains } = parseConfig(file, 'devnet')
  const service = await startTestService(store, chains)
  const stop = new AbortController()
  const runs = chains.map((chain) =>
    runChain(
      {
        chain,
        store,
        node: new ChainNode(chain.rpcUrls),
        media: createTestMedia(chains),
        logger: pino({ level: 'silent' }),
        onSynced: () => {},
        onStandby: () => {},
        onProgress: () => {},
      },
      stop.signal,
    ),
  )
  try {
    await test(service)
  } finally {
    stop.abort()
    await Promise.all(runs)
  }
}

/** Asks until the answer is of both nodes' newest blocks, with every text read. */
async function askAtHead({ fetch }: TestService, wallet: string, query = '') {
  const newest = await Promise.all(
    devnet.chains.map(async ({ chainId, rpc }) => {
      const number = Number(await rpc.call<string>('eth_blockNumber'))
      return `${chainId}=${number}`
    }),
  )
  let body: BalancesResponse = { wallet_address: wallet, balances: [] }
  const isAtHead = async () => {
    const response = await fetch(`/v1/evm/balances/${wallet}?${query}`)
    if (response.status !== 200) return false
    body = (await response.json()) as BalancesResponse
    const blocks = response.headers.get('x-block-numbers')
    return blocks === newest.join(',') && body.balances.every(({ symbol }) => symbol !== undefined)
  }
  await expect.poll(isAtHead, { timeout: 60_000, interval: 200 }).toBe(true)
  return body
}

/** What the wallet has on a chain, by the chain itself; zero amounts left out. */
async function truth({ rpc, tokens, pools }: DevnetChain, wallet: `0x${string}`) {
  const contracts = [...tokens, ...pools].map(({ address }) => address.toLowerCase())
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [wallet] })
  const [native, ...amounts] = await rpc.batch([
    ['eth_getBalance', [wallet, 'latest']],
    ...contracts.map((to) => ['eth_call', [{ to, data }, 'latest']] as const),
  ])
  const entries = [['native', native], ...contracts.map((to, index) => [to, amounts[index]])]
  return Object.fromEntries(
    entries
      // A contract that appears later in the past has no code yet and answers nothing.
      .map(([address, amount]) => [address, BigInt(amount === '0x' ? 0 : (amount as string))])
      .filter(([, amount]) => amount !== 0n),
  ) as Record<string, bigint>
}

function amountsOf(balances: readonly Balance[], chain: DevnetChain) {
  return Object.fromEntries(
    balances
      .filter(({ chain_id }) => chain_id === chain.chainId)
      .map(({ address, amount }) => [address, BigInt(amount)]),
  )
}

/** Prices and pool sizes by the reserves that the pools tell, in floats, by relaxing until nothing gets deeper. */
async function naivePrices({ rpc, pools, tokens, config }: DevnetChain) {
  const call = (to: string, functionName: 'getReserves' | 'token0') =>
    [
      'eth_call',
      [{ to, data: encodeFunctionData({ abi: pairAbi, functionName }) }, 'latest'],
    ] as const
  const answers = (await rpc.batch(
    pools.flatMap(({ address }) => [call(address, 'getReserves'), call(address, 'token0')]),
  )) as `0x${string}`[]
  const legs = pools.flatMap(({ base, quote }, index) => {
    const [reserves, first] = [answers[2 * index] ?? '0x', answers[2 * index + 1] ?? '0x']
    if (reserves === '0x') return []
    const decoded = { abi: pairAbi, data: reserves, functionName: 'getReserves' } as const
    const [reserve0, reserve1] = decodeFunctionResult(decoded)
    const isBaseFirst = first.endsWith(base.address.slice(2).toLowerCase())
    const inBase = Number(isBaseFirst ? reserve0 : reserve1) / 10 ** base.decimals
    const inQuote = Number(isBaseFirst ? reserve1 : reserve0) / 10 ** quote.decimals
    return [
      { of: base.address, reserve: inBase, by: quote.address, other: inQuote },
      { of: quote.address, reserve: inQuote, by: base.address, other: inBase },
    ]
  })
  const hubs = [...config.stablecoins, config.wrappedNative]
  const found = new Map<string, { price: number; depth: number }>(
    config.stablecoins.map((address) => [address, { price: 1, depth: Infinity }]),
  )
  for (let round = 0; round < tokens.length; round++)
    for (const { of, reserve, by, other } of legs) {
      const quote = found.get(by)
      if (!quote || !hubs.includes(by) || config.stablecoins.includes(of)) continue
      const depth = Math.min(quote.depth, quote.price * other)
      if (depth > (found.get(of)?.depth ?? 0) * (1 + 1e-9))
        found.set(of, { price: (quote.price * other) / reserve, depth })
    }
  return new Map([...found].map(([address, figures]) => [address.toLowerCase(), figures]))
}

describeEachStore('balances of a real chain', (openTestStore) => {
  it('equal balanceOf and eth_getBalance, before and after the chain goes on and is replaced', async () => {
    const [one] = devnet.chains
    const [alice, bob] = [one.actors[3]!.address, one.actors[4]!.address]
    const wallets = [
      ...one.actors.map(({ address }) => address),
      one.pools[0]!.address,
      '0x000000000000000000000000000000000000dead',
    ] as const
    await indexed(await openTestStore(), async (service) => {
      const compare = async () => {
        let compared = 0
        for (const wallet of wallets) {
          const { balances, errors } = await askAtHead(service, wallet)
          expect(errors).toBeUndefined()
          for (const chain of devnet.chains) {
            const expected = await truth(chain, wallet)
            expect(amountsOf(balances, chain)).toEqual(expected)
            compared += Object.keys(expected).length
          }
        }
        expect(compared).toBeGreaterThan(wallets.length)
      }
      await compare()

      await one.deposit({ from: alice, amount: 10n ** 17n })
      await one.withdraw({ from: alice, amount: 10n ** 16n })
      const weth = one.token('WETH').address
      await one.transfer({ token: weth, from: alice, to: bob, amount: 12_345n })
      await one.send({ from: alice, to: bob, amount: 10n ** 15n })
      await compare()

      await one.mine(2)
      await one.reorg(5)
      await one.mine(1)
      await compare()
    })
  })

  it('are priced by the reserves of the pools at the block of the answer', async () => {
    const { address: wallet } = devnet.chains[0].actors[1]!
    await indexed(await openTestStore(), async (service) => {
      const { balances } = await askAtHead(service, wallet, 'historical_prices=24')
      for (const chain of devnet.chains) {
        const prices = await naivePrices(chain)
        const held = balances.filter(({ chain_id }) => chain_id === chain.chainId)
        const priced = held.filter(({ price_usd }) => price_usd !== undefined)
        expect(priced.length).toBeGreaterThan(3)
        for (const balance of held) {
          const token = balance.address === 'native' ? chain.config.wrappedNative : balance.address
          const expected = prices.get(token.toLowerCase())
          if (!expected) {
            expect(balance).not.toHaveProperty('price_usd')
            continue
          }
          const {
            price_usd = NaN,
            value_usd = NaN,
            pool_size = NaN,
            amount,
            decimals = 0,
          } = balance
          expect(price_usd / expected.price).toBeCloseTo(1, 9)
          if (expected.depth !== Infinity) expect(pool_size / expected.depth).toBeCloseTo(1, 9)
          expect(value_usd / (price_usd * (Number(amount) / 10 ** decimals))).toBeCloseTo(1, 9)
          expect(balance.low_liquidity).toBe(pool_size < 10_000)
        }
        const native = held.find(({ address }) => address === 'native')
        expect(native?.historical_prices?.[0]?.price_usd).toBeGreaterThan(0)
      }
    })
  })
})
