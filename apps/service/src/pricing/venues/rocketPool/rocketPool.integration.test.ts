import { type Address, numberToHex, parseAbi } from 'viem'
import { expect, it } from 'vitest'
import { compileContracts } from '@headwater/devnet'
import { createContractClient } from '../../../../test/createContractClient.ts'
import { indexTestChain } from '../../../../test/indexTestChain.ts'
import { openMemoryStore } from '../../../../test/openMemoryStore.ts'
import { testAddress } from '../../../../test/seedChain.ts'
import { startAnvil } from '../../../../test/startAnvil.ts'
import { testChainConfig } from '../../../../test/testChainConfig.ts'
import { loadPools } from '../../loadPools.ts'
import { getSpotPrice } from '../venues.ts'

const abi = parseAbi([
  'function mint() payable',
  'function burn(uint256 amount)',
  'function stake(address to, uint256 amount)',
  'function getEthValue(uint256 amount) view returns (uint256)',
  'function balanceOf(address) view returns (uint256)',
])
const ether = 10n ** 18n

it('prices a configured staking token at its rate, as deep as what it pays out', async () => {
  const node = await startAnvil('--gas-limit', '1000000000', '--base-fee', '0')
  const [sender, other] = (await node.call<Address[]>('eth_accounts')) as [Address, Address]
  const client = createContractClient(node, sender)
  const { StakingToken } = await compileContracts()
  const [token, copy] = [await client.deploy(StakingToken), await client.deploy(StakingToken)]
  const wrappedNative = testAddress(2)
  const chain = testChainConfig(31_337, {
    ...{ rpcUrls: [node.url], pollIntervalMs: 10, wrappedNative, rocketPoolTokens: [token] },
  })
  const store = await openMemoryStore()
  const indexer = indexTestChain(store, chain)
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
    return (await loadPools(store.db, [{ point, token: address, limit: 8 }]))[0]
  }
  const expectRate = async (collateral: bigint) => {
    const pool = await load(token)
    const value = await client.read<bigint>(token, abi, 'getEthValue', [1000n * ether])
    const { numerator = 0n, denominator = 1n } = (pool && getSpotPrice(pool)) ?? {}
    // The rate has 18 digits.
    expect((numerator * 1000n * ether) / denominator / 1000n).toBe(value / 1000n)
    expect(pool).toMatchObject({ token0: token, token1: wrappedNative, reserve1: collateral })
  }

  await client.execute(token, abi, 'mint', [], 100n * ether)
  await client.execute(copy, abi, 'mint', [], 100n * ether)
  await expectRate(100n * ether)
  expect(await load(copy)).toBeUndefined()
  // Staked funds still count for the rate, and rewards raise it.
  await client.execute(token, abi, 'stake', [other, 70n * ether])
  await client.send(token, '0x', 7n * ether)
  await expectRate(37n * ether)
  await client.execute(token, abi, 'burn', [10n * ether])
  await expectRate(37n * ether - (10n * 107n * ether) / 100n)
  await expect(client.execute(token, abi, 'burn', [80n * ether])).rejects.toThrow('failed')
  expect(numberToHex(await client.read<bigint>(token, abi, 'balanceOf', [sender]))).toBe(
    numberToHex(90n * ether),
  )
  await indexer.stop()
})
