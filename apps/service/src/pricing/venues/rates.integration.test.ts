import { type Address, getAddress, maxUint256, numberToHex, parseAbi, zeroAddress } from 'viem'
import { expect, it } from 'vitest'
import { compileContracts } from '@headwater/devnet'
import {
  balancerComposableFactoryBytecode,
  balancerFeeProviderBytecode,
  balancerVaultBytecode,
} from '@headwater/devnet/venues'
import { createContractClient } from '../../../test/createContractClient.ts'
import { startAnvil } from '../../../test/startAnvil.ts'
import { testChainConfig } from '../../../test/testChainConfig.ts'
import { decodeLog } from '../../indexing/decode/decodeLog.ts'
import { createScope } from '../../indexing/decode/Scope.ts'
import { PoolReader } from '../../indexing/fold/PoolReader.ts'
import { ChainNode } from '../../rpc/ChainNode.ts'
import { parseLog, type RawLog } from '../../rpc/methods/Log.ts'
import { getPoolModel, mapVenues } from './venues.ts'

const curveAbi = parseAbi([
  'function deploy_plain_pool(address[] coins, uint256 A, uint256 fee, uint256[] assetTypes)',
  'function pool_list(uint256 index) view returns (address)',
  'function update(address to, uint256[] amounts)',
  'function set_oracle(bytes4 method, address oracle)',
])
const tokenAbi = parseAbi(['function transfer(address to, uint256 amount)'])
const balancerAbi = parseAbi([
  'function create(string name, string symbol, address[] tokens, uint256 amplification, address[] rateProviders, uint256[] durations, bool[] exempt, uint256 fee, address owner)',
])
/** Deploys code that returns 10¹⁸ for any call. */
const constantRate = '0x70670de0b6b3a764000060005260206000f36000526011600ff3'

async function startPools() {
  const node = await startAnvil('--gas-limit', '1000000000', '--base-fee', '0')
  const [sender] = (await node.call<Address[]>('eth_accounts')) as [Address]
  const client = createContractClient(node, sender)
  const bytecodes = await compileContracts()
  const token = async () =>
    await client.deploy(
      bytecodes.DevnetToken,
      ['string', 'string', 'uint8', 'uint256', 'address'],
      ['Token', 'TOK', 18, maxUint256, sender],
    )
  const tokens = [await token(), await token()].sort()
  const curve = await client.deploy(bytecodes.CurveFactory)
  const rate = await client.deploy(constantRate)
  const vault = await client.deploy(
    balancerVaultBytecode,
    ['address', 'address', 'uint256', 'uint256'],
    [sender, sender, 0n, 0n],
  )
  const fees = await client.deploy(
    balancerFeeProviderBytecode,
    ['address', 'uint256', 'uint256'],
    [vault, 10n ** 17n, 10n ** 17n],
  )
  const balancer = await client.deploy(
    balancerComposableFactoryBytecode,
    ['address', 'address', 'string', 'string'],
    [vault, fees, '', ''],
  )
  const scope = createScope(
    testChainConfig(1, {
      ...mapVenues(() => []),
      curveFactories: [curve],
      balancerV2Factories: [balancer],
    }),
  )
  const reader = new PoolReader(new ChainNode([node.url]))
  /** Reads the pool that the latest block created, as the indexer does. */
  const readCreated = async () => {
    const number = Number(await node.call<string>('eth_blockNumber'))
    const range = { fromBlock: numberToHex(number), toBlock: numberToHex(number) }
    const logs = await node.call<RawLog[]>('eth_getLogs', range)
    const block = { number, hash: String(logs[0]?.['blockHash']) }
    const tasks = logs.flatMap((log) => {
      const event = decodeLog(parseLog(log, block), scope)
      return event?.kind === 'registration'
        ? [
            {
              block,
              isPrunable: false,
              run: (call: Parameters<typeof event.read>[0]) => event.read(call, 0),
            },
          ]
        : []
    })
    expect(tasks).toHaveLength(1)
    return (await reader.read(tasks))[0]
  }
  return { node, sender, client, reader, tokens, curve, balancer, rate, readCreated }
}

it('with rates that contracts return are not indexed, whatever these return', async () => {
  const { node, sender, client, reader, tokens, curve, balancer, rate, readCreated } =
    await startPools()
  const { execute, read } = client
  const coins = tokens.map((token) => getAddress(token))
  for (const [assetTypes, isIndexed] of [
    [[0n, 0n], true],
    [[0n, 1n], false],
    [[0n, 2n], true],
    [[3n, 0n], false],
  ] as const) {
    await execute(curve, curveAbi, 'deploy_plain_pool', [coins, 200n, 4_000_000n, assetTypes])
    const created = await readCreated()
    expect([assetTypes, created?.tokens]).toEqual([assetTypes, isIndexed ? tokens : undefined])
  }
  for (const [providers, isIndexed] of [
    [[zeroAddress, zeroAddress], true],
    [[zeroAddress, rate], false],
  ] as const) {
    await execute(balancer, balancerAbi, 'create', [
      ...['Pool', 'POOL', coins, 200n, providers],
      ...[[0n, 0n], [false, false], 10n ** 15n, sender],
    ])
    const created = await readCreated()
    expect([providers, created?.tokens]).toEqual([providers, isIndexed ? tokens : undefined])
  }

  // The creator of a pool of the first factories sets a contract later.
  const pool = await read<Address>(curve, curveAbi, 'pool_list', [0n])
  for (const token of tokens) {
    await execute(token as Address, tokenAbi, 'transfer', [pool, 10n ** 24n])
  }
  await execute(pool, curveAbi, 'update', [sender, [0n, 0n]])
  const readPrices = async () => {
    const { number, hash } = await node.call<{ number: string; hash: string }>(
      'eth_getBlockByNumber',
      'latest',
      false,
    )
    const [state] = await reader.read([
      {
        block: { number: Number(number), hash },
        isPrunable: false,
        run: async (call) =>
          await getPoolModel('curve-stable').readBalances?.(
            { address: pool.toLowerCase(), factory: curve, tokens },
            call,
            { time: 0 },
          ),
      },
    ])
    return state?.prices
  }
  const [first, second] = (await readPrices()) ?? []
  expect([first, second]).toEqual([expect.any(BigInt), first])
  await execute(pool, curveAbi, 'set_oracle', ['0x679aefce', rate])
  expect(await readPrices()).toBeUndefined()
})
