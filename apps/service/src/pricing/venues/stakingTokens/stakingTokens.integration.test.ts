import { type Address, maxUint256, parseAbi } from 'viem'
import { expect, it } from 'vitest'
import { compileContracts, seededRandom } from '@headwater/devnet'
import { createContractClient } from '../../../../test/createContractClient.ts'
import { indexTestChain } from '../../../../test/indexTestChain.ts'
import { openMemoryStore } from '../../../../test/openMemoryStore.ts'
import { testAddress } from '../../../../test/seedChain.ts'
import { onFixtureFinished, shareFixture } from '../../../../test/shareFixture.ts'
import { startAnvil } from '../../../../test/startAnvil.ts'
import { testChainConfig } from '../../../../test/testChainConfig.ts'
import { loadPools } from '../../loadPools.ts'
import type { Pool } from '../../Pool.ts'
import { getSpotPrice } from '../venues.ts'

const abi = parseAbi([
  'function mint() payable',
  'function burn(uint256 amount)',
  'function stake(address to, uint256 amount)',
  'function getEthValue(uint256 amount) view returns (uint256)',
  'function balanceOf(address) view returns (uint256)',
  'function submit() payable',
  'function report(uint256 total)',
  'function approve(address spender, uint256 amount)',
  'function wrap(uint256 amount)',
  'function unwrap(uint256 amount)',
  'function getPooledEthByShares(uint256 shares) view returns (uint256)',
  'function WSTETH() view returns (address)',
])
const ether = 10n ** 18n
/** States per token; `VENUE_STATES=1000` is the complete check. */
const states = Number(process.env['VENUE_STATES'] ?? 6)
const wrappedNative = testAddress(2)

const getChain = shareFixture(async () => {
  const node = await startAnvil('--gas-limit', '1000000000', '--base-fee', '0')
  const [sender, other] = (await node.call<Address[]>('eth_accounts')) as [Address, Address]
  const client = createContractClient(node, sender)
  const { StakingToken, RebasedStake } = await compileContracts()
  const token = await client.deploy(StakingToken)
  const copy = await client.deploy(StakingToken)
  const stake = await client.deploy(RebasedStake)
  const chain = testChainConfig(31_337, {
    rpcUrls: [node.url],
    pollIntervalMs: 10,
    wrappedNative,
    rocketPoolTokens: [token],
    lidoTokens: [stake],
  })
  const store = await openMemoryStore()
  const indexer = indexTestChain(store, chain)
  onFixtureFinished(() => indexer.stop())
  const load = async (address: string) => {
    const block = await node.call<{ number: string; hash: string }>(
      'eth_getBlockByNumber',
      'latest',
      false,
    )
    await indexer.reaches(block.hash)
    const number = Number(block.number)
    const times = { time: 2 ** 33, windowBlock: number, windowTime: 2 ** 33 }
    const point = { chainId: chain.id, index: 0, block: number, ...times }
    const [loaded] = await loadPools(store.db, [{ point, token: address, quoteTokens: new Set() }])
    return loaded?.pools[0]?.pool
  }
  /** Compares the price of a token with what its contract pays for 1,000 of it, and for a tenth of the depth. */
  const expectRate = async (
    address: string,
    getValue: (amount: bigint) => Promise<bigint>,
    expected: Partial<Pool> & { readonly reserve1: bigint },
  ) => {
    const pool = await load(address)
    expect(pool).toMatchObject(expected)
    const { numerator = 0n, denominator = 1n } = (pool && getSpotPrice(pool)) ?? {}
    const tenth = (expected.reserve1 * denominator) / (10n * numerator)
    for (const amount of [1000n * ether, tenth]) {
      // The rate has 18 digits.
      const difference = (await getValue(amount)) - (amount * numerator) / denominator
      const rounding = amount / ether + 1n
      const isClose = -rounding <= difference && difference <= rounding
      expect([amount, isClose, amount > 10n ** 10n]).toEqual([amount, true, true])
    }
  }
  return { sender, other, client, token, copy, stake, load, expectRate }
})

it('prices a configured token of Rocket Pool at its rate, as deep as what it pays out', async () => {
  const { sender, other, client, token, copy, load, expectRate } = getChain()
  const expectCollateral = async (reserve1: bigint) => {
    const getValue = (amount: bigint) => client.read<bigint>(token, abi, 'getEthValue', [amount])
    await expectRate(token, getValue, { token0: token, token1: wrappedNative, reserve1 })
  }
  await client.execute(token, abi, 'mint', [], 100n * ether)
  await client.execute(copy, abi, 'mint', [], 100n * ether)
  await expectCollateral(100n * ether)
  expect(await load(copy)).toBeUndefined()
  // Staked funds still count for the rate, and rewards raise it.
  await client.execute(token, abi, 'stake', [other, 70n * ether])
  await client.send(token, '0x', 7n * ether)
  await expectCollateral(37n * ether)
  await client.execute(token, abi, 'burn', [10n * ether])
  await expectCollateral(37n * ether - (10n * 107n * ether) / 100n)
  await expect(client.execute(token, abi, 'burn', [80n * ether])).rejects.toThrow('failed')
  expect(await client.read<bigint>(token, abi, 'balanceOf', [sender])).toBe(90n * ether)
  const random = seededRandom('deposits')
  let collateral = 37n * ether - (10n * 107n * ether) / 100n
  for (let state = 0; state < states; state++) {
    const amount = BigInt(random.integer(1, 9_000_000)) * 10n ** 12n
    const held = await client.read<bigint>(token, abi, 'balanceOf', [sender])
    const value = await client.read<bigint>(token, abi, 'getEthValue', [amount])
    if (random.chance(50) && amount < held && value < collateral) {
      collateral -= value
      await client.execute(token, abi, 'burn', [amount])
    } else if (random.chance(50)) {
      collateral += amount
      await client.execute(token, abi, 'mint', [], amount)
    } else {
      collateral += amount
      await client.send(token, '0x', amount)
    }
    await expectCollateral(collateral)
  }
})

it('prices the wrapped token of Lido at the rate of each report, as deep as what is wrapped', async () => {
  const { sender, client, stake, load, expectRate } = getChain()
  const wrapped = (await client.read<Address>(stake, abi, 'WSTETH', [])).toLowerCase() as Address
  await client.execute(stake, abi, 'submit', [], 100n * ether)
  await client.execute(stake, abi, 'approve', [wrapped, maxUint256])
  await client.execute(wrapped, abi, 'wrap', [60n * ether])
  expect(await load(wrapped)).toBeUndefined()
  const random = seededRandom('reports')
  let total = 100n * ether
  for (let state = 0; state < states; state++) {
    // Rewards and penalties, after a part was wrapped or unwrapped.
    total += (total * BigInt(random.integer(-40, 40))) / 1000n + BigInt(random.integer(0, 9))
    await client.execute(stake, abi, 'report', [total])
    const getValue = (shares: bigint) =>
      client.read<bigint>(stake, abi, 'getPooledEthByShares', [shares])
    const reserve1 = await client.read<bigint>(stake, abi, 'balanceOf', [wrapped])
    await expectRate(wrapped, getValue, { token0: wrapped, token1: stake, reserve1 })
    const held = await client.read<bigint>(wrapped, abi, 'balanceOf', [sender])
    const part = BigInt(random.integer(1, 9_000)) * 10n ** 15n
    await (held > 50n * ether
      ? client.execute(wrapped, abi, 'unwrap', [part])
      : client.execute(wrapped, abi, 'wrap', [
          await client.read<bigint>(stake, abi, 'getPooledEthByShares', [part]),
        ]))
  }
})
