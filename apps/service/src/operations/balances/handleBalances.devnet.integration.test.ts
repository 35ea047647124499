import { encodeFunctionData, erc20Abi, type Hex } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Balance, BalancesResponse } from '@headwater/contract'
import { type Devnet, type DevnetChain, startDevnet } from '@headwater/devnet'
import { describeEachStore } from '../../../test/describeEachStore.ts'
import { maxRounding, readChainPrices } from '../../../test/readChainPrices.ts'
import { type ServedDevnet, serveDevnet } from '../../../test/serveDevnet.ts'
import { shareFixture } from '../../../test/shareFixture.ts'

let devnet: Devnet
beforeAll(async () => {
  devnet = await startDevnet({ ports: [0, 0], days: 2, live: false })
})
afterAll(() => devnet.stop())

/** Requests balances, which must reflect the latest block of both nodes. */
async function requestBalances(service: ServedDevnet, wallet: string, query = '') {
  const response = await service.fetch(`/v1/evm/balances/${wallet}?${query}`)
  expect(response.status).toBe(200)
  const latest = await Promise.all(
    devnet.chains.map(async ({ chainId, rpc }) => {
      return `${chainId}=${Number(await rpc.call<string>('eth_blockNumber'))}`
    }),
  )
  expect(response.headers.get('x-block-numbers')).toBe(latest.join(','))
  return (await response.json()) as BalancesResponse
}

/** Requests the balance of one token. */
async function requestAmount(
  { fetch }: ServedDevnet,
  { chainId }: DevnetChain,
  wallet: string,
  token: string,
) {
  const response = await fetch(`/v1/evm/balances/${wallet}/token/${token}?chain_ids=${chainId}`)
  expect(response.status).toBe(200)
  const { balances } = (await response.json()) as BalancesResponse
  expect(balances).toHaveLength(1)
  return BigInt(balances[0]!.amount)
}

/** Contracts whose transfers equal their balances, in lower case. */
function honestTokens({ tokens, pools }: DevnetChain): Set<string> {
  return new Set([...tokens, ...pools].map(({ address }) => address.toLowerCase()))
}

/** Balances of the wallet from the node, without those of zero. */
async function readBalances(chain: DevnetChain, wallet: `0x${string}`) {
  const contracts = [...honestTokens(chain)]
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [wallet] })
  const [native, ...amounts] = await chain.rpc.batch([
    ['eth_getBalance', [wallet, 'latest']],
    ...contracts.map((to) => ['eth_call', [{ to, data }, 'latest']] as const),
  ])
  const entries = [['native', native], ...contracts.map((to, index) => [to, amounts[index]])]
  return Object.fromEntries(
    entries
      // A contract that is not deployed yet has no code and returns no data.
      .map(([address, amount]) => [address, BigInt(amount === '0x' ? 0 : (amount as string))])
      .filter(([, amount]) => amount !== 0n),
  ) as Record<string, bigint>
}

function amountsOf(balances: readonly Balance[], chain: DevnetChain) {
  const honest = honestTokens(chain).add('native')
  return Object.fromEntries(
    balances
      .filter(({ chain_id, address }) => chain_id === chain.chainId && honest.has(address))
      .map(({ address, amount }) => [address, BigInt(amount)]),
  )
}

describeEachStore('balances of a real chain', (openTestStore) => {
  const getService = shareFixture(async () => {
    return await serveDevnet(await openTestStore(), devnet.chains)
  })

  it('equal balanceOf and eth_getBalance in balances and tokenBalance, also after a reorg', async () => {
    const [one] = devnet.chains
    const alice = one.accounts[3]!.address
    const bob = one.accounts[4]!.address
    const wallets = [
      ...one.accounts.map(({ address }) => address),
      one.pools[0]!.address,
      '0x000000000000000000000000000000000000dead',
    ] as const
    const stranger = `0x${'9'.repeat(40)}` as const
    const tokens = ['WETH', 'HUSD', 'SBTC'].map((symbol) => one.token(symbol).address.toLowerCase())
    const service = getService()
    const compare = async () => {
      await service.catchUp()
      let compared = 0
      for (const wallet of wallets) {
        const { balances, errors } = await requestBalances(service, wallet)
        expect(errors).toBeUndefined()
        for (const chain of devnet.chains) {
          const expected = await readBalances(chain, wallet)
          expect(amountsOf(balances, chain)).toEqual(expected)
          compared += Object.keys(expected).length
        }
      }
      expect(compared).toBeGreaterThan(wallets.length)
      for (const wallet of [alice, bob, stranger]) {
        const expected = await readBalances(one, wallet)
        for (const token of ['native', ...tokens]) {
          expect(await requestAmount(service, one, wallet, token)).toBe(expected[token] ?? 0n)
        }
      }
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

  it('are priced from the pools at the block of the response', async () => {
    const { address: wallet } = devnet.chains[0].accounts[1]!
    const { balances } = await requestBalances(getService(), wallet, 'historical_prices=24')
    for (const chain of devnet.chains) {
      const head = Number(await chain.rpc.call<Hex>('eth_blockNumber'))
      const prices = await readChainPrices(chain, head)
      const held = balances.filter(({ chain_id }) => chain_id === chain.chainId)
      expect(held.filter(({ price_usd }) => price_usd !== undefined).length).toBeGreaterThan(3)
      for (const balance of held) {
        const token = balance.address === 'native' ? chain.config.wrappedNative : balance.address
        const expected = prices.get(token.toLowerCase())
        if (!expected) {
          expect(balance).not.toHaveProperty('price_usd')
          continue
        }
        const { price_usd = NaN, value_usd = NaN, pool_size, amount, decimals = 0 } = balance
        expect(price_usd / expected.price).toBeCloseTo(1, 12)
        expect(value_usd / (price_usd * (Number(amount) / 10 ** decimals))).toBeCloseTo(1, 12)
        if (expected.depth === Infinity) {
          expect(pool_size).toBeUndefined()
        } else {
          const difference = Math.abs((pool_size ?? NaN) - expected.depth)
          expect(difference).toBeLessThan(1e-12 * expected.depth + maxRounding)
        }
        expect(balance.low_liquidity ?? false).toBe((pool_size ?? Infinity) < 10_000)
      }
      const native = held.find(({ address }) => address === 'native')
      expect(native?.historical_prices?.[0]?.price_usd).toBeGreaterThan(0)
    }
  })
})
