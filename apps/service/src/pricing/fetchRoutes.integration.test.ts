import { type Address, parseAbi } from 'viem'
import { expect, it } from 'vitest'
import { compileContracts } from '@headwater/devnet'
import {
  concentratedFactoryAbi,
  uniswapV3FactoryBytecode,
  venueTraderAbi,
} from '@headwater/devnet/venues'
import { createContractClient } from '../../test/createContractClient.ts'
import { startAnvil } from '../../test/startAnvil.ts'
import { testChainConfig } from '../../test/testChainConfig.ts'
import { ChainNode } from '../rpc/ChainNode.ts'
import { createPoolCache, fetchRoutes } from './fetchRoutes.ts'

const poolAbi = parseAbi(['function increaseObservationCardinalityNext(uint16 next)'])
const tokenAbi = parseAbi(['function transfer(address to, uint256 amount)'])
const q96 = 2n ** 96n
const liquidity = 10n ** 24n
const minute = 60

/** Two tokens, each with a deep pool of Uniswap V3 at 1 USD. Only that of the first one records its prices. */
async function startPools() {
  const node = await startAnvil('--gas-limit', '1000000000', '--base-fee', '0')
  const [sender] = (await node.call<Address[]>('eth_accounts')) as [Address]
  const client = createContractClient(node, sender)
  const { DevnetToken, VenueTrader } = await compileContracts()
  const factory = await client.deploy(uniswapV3FactoryBytecode)
  const trader = await client.deploy(VenueTrader)
  const deployToken = async () => {
    const types = ['string', 'string', 'uint8', 'uint256', 'address']
    const token = await client.deploy(DevnetToken, types, ['T', 'T', 18, 2n ** 200n, sender])
    await client.execute(token, tokenAbi, 'transfer', [trader, 2n ** 199n])
    return token
  }
  const usd = await deployToken()
  const createPool = async (observations: number) => {
    const token = await deployToken()
    const pair = [token, usd] as const
    await client.execute(factory, concentratedFactoryAbi, 'createPool', [...pair, 3000])
    const pool = await client.read<Address>(factory, concentratedFactoryAbi, 'getPool', [
      ...[...pair, 3000],
    ])
    await client.execute(pool, venueTraderAbi, 'initialize', [q96])
    await client.execute(pool, poolAbi, 'increaseObservationCardinalityNext', [observations])
    await client.execute(trader, venueTraderAbi, 'mint', [
      ...[pool, false, -887_220, 887_220, liquidity],
    ])
    const swap = async (paysUsd: boolean, amount: bigint) => {
      const isZero = paysUsd === usd < token
      await client.execute(trader, venueTraderAbi, 'swap', [pool, isZero, amount])
    }
    return {
      token,
      /** Pays so many USD. */
      buy: (amount: bigint) => swap(true, amount),
      /** Receives so many USD. */
      sell: (amount: bigint) => swap(false, -amount),
    }
  }
  const observed = await createPool(100)
  const other = await createPool(1)
  const chain = testChainConfig(31_337, {
    stablecoins: [usd],
    uniswapV3Factories: [factory],
    priceWindowMinutes: 60,
  })
  const chainNode = new ChainNode([node.url])
  /** The prices of both tokens in USD. */
  const fetchPrices = async (config = chain, number?: string) => {
    const block = await node.call<{ number: string; hash: string }>(
      ...(['eth_getBlockByNumber', number ?? 'latest', false] as const),
    )
    const decimals = new Map([usd, observed.token, other.token].map((token) => [token, 18]))
    const at = { number: Number(block.number), hash: block.hash }
    const found = await fetchRoutes(chainNode, config, decimals, at, createPoolCache())
    return [observed, other].map(({ token }) => {
      const { numerator = 0n, denominator = 1n } = found?.routes.get(token)?.route?.price ?? {}
      return Number((numerator * 10n ** 24n) / denominator) / 1e6
    })
  }
  const wait = async (seconds: number) => {
    await node.call('evm_increaseTime', seconds)
    await node.call('anvil_mine', '0x1')
  }
  return { node, chain, observed, other, fetchPrices, wait }
}

it('replaces a price that left the hour that a pool recorded, now and in the past', async () => {
  const { node, chain, observed, other, fetchPrices, wait } = await startPools()
  const both = async (amount: bigint) => {
    await observed.buy(amount)
    await other.buy(amount)
  }
  for (let interval = 0; interval < 8; interval++) {
    await wait(10 * minute)
    await both(10n ** 20n)
  }
  const [honest = 0, unguarded = 0] = await fetchPrices()
  expect(honest).toBeCloseTo(unguarded, 12)
  expect(honest).toBeCloseTo(1.001, 2)

  // Two blocks of 12 s at a million times the price, in different intervals of the hour.
  for (const pause of [20, 30]) {
    await observed.buy(1000n * liquidity)
    await wait(12)
    // Without the fee.
    await observed.sell(997n * liquidity)
    await wait(pause * minute)
  }
  const spiked = await fetchPrices()
  expect(spiked).toEqual(await fetchPrices({ ...chain, priceWindowMinutes: 0 }))
  expect(spiked[0]).toBeCloseTo(honest, 2)

  // A swap to four times the price, in force for one block.
  await both(liquidity)
  const attacked = await node.call<string>('eth_blockNumber')
  const [guarded = 0, moved = 0] = await fetchPrices()
  expect(Math.abs(guarded / honest - 1)).toBeLessThan(0.02)
  expect(moved).toBeGreaterThan(3.9)
  expect((await fetchPrices({ ...chain, priceWindowMinutes: 0 }))[0]).toBeGreaterThan(3.9)

  // In force for most of the hour, it is the price.
  await wait(40 * minute)
  expect((await fetchPrices())[0]).toBeGreaterThan(3.9)
  expect(Math.abs(((await fetchPrices(chain, attacked))[0] ?? 0) / honest - 1)).toBeLessThan(0.02)
})
