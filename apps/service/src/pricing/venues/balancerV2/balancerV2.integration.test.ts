import { type Address, encodeAbiParameters, type Hex, maxUint256, parseAbi } from 'viem'
import { expect, it } from 'vitest'
import { compileContracts } from '@headwater/devnet'
import {
  balancerAbi,
  balancerFirstStableFactoryBytecode,
  balancerStableAbi,
  balancerStableFactoryBytecode,
  balancerVaultBytecode,
} from '@headwater/devnet/venues'
import { createContractClient } from '../../../../test/createContractClient.ts'
import { startAnvil } from '../../../../test/startAnvil.ts'
import { testChainConfig } from '../../../../test/testChainConfig.ts'
import { decodeLog } from '../../../indexing/decode/decodeLog.ts'
import { createScope } from '../../../indexing/decode/Scope.ts'
import type { Call } from '../../../rpc/methods/Call.ts'
import { getPoolModel, mapVenues } from '../venues.ts'

const abi = parseAbi([
  'function approve(address spender, uint256 amount)',
  'function getPoolId() view returns (bytes32)',
])
const decimals = [18, 6, 8]

it('prices the pools of both versions of the stable factory, the first of which has no scaling factors', async () => {
  const node = await startAnvil('--gas-limit', '1000000000', '--base-fee', '0')
  const [sender] = (await node.call<Address[]>('eth_accounts')) as [Address]
  const { deploy, execute, read } = createContractClient(node, sender)
  const { DevnetToken } = await compileContracts()
  const tokens: { address: Address; unit: bigint }[] = []
  const vault = await deploy(
    balancerVaultBytecode,
    ['address', 'address', 'uint256', 'uint256'],
    [sender, sender, 0n, 0n],
  )
  for (const each of decimals) {
    const address = await deploy(
      DevnetToken,
      ['string', 'string', 'uint8', 'uint256', 'address'],
      ['Token', 'TOK', each, 2n ** 100n, sender],
    )
    await execute(address, abi, 'approve', [vault, maxUint256])
    tokens.push({ address, unit: 10n ** BigInt(each) })
  }
  tokens.sort((one, other) => (one.address < other.address ? -1 : 1))
  const assets = tokens.map(({ address }) => address)
  const call = async (calls: readonly Call[]) =>
    await Promise.all(
      calls.map(({ to, data }) =>
        node.call<string>('eth_call', { to, data }, 'latest').catch(() => '0x'),
      ),
    )

  for (const bytecode of [balancerFirstStableFactoryBytecode, balancerStableFactoryBytecode]) {
    const factory = await deploy(bytecode, ['address'], [vault])
    const fee = 10n ** 12n
    const args = ['Pool', 'POOL', assets, 200n, fee, `0x${'0'.repeat(40)}`]
    const created = await execute(factory, balancerStableAbi, 'create', args)
    const log = created.find(({ address }) => address.toLowerCase() === factory)
    const pool = `0x${log?.topics[1]?.slice(26) ?? ''}` as Address
    const id = await read<Hex>(pool, abi, 'getPoolId', [])
    const amounts = tokens.map(
      ({ unit }, index) => unit * [10_000_000n, 25_000_000n, 4_000_000n][index]!,
    )
    const userData = encodeAbiParameters(
      [{ type: 'uint256' }, { type: 'uint256[]' }],
      [0n, amounts],
    )
    const request = { assets, maxAmountsIn: amounts, userData, fromInternalBalance: false }
    await execute(vault, balancerAbi, 'joinPool', [id, sender, sender, request])

    const scope = createScope(
      testChainConfig(1, { ...mapVenues(() => []), balancerV2Factories: [factory] }),
    )
    const place = { blockNumber: 1, blockHash: '0x1', logIndex: 0, transactionFrom: sender }
    const event = decodeLog(
      { address: factory, topics: log?.topics ?? [], data: '0x', ...place },
      scope,
    )
    const indexed = event?.kind === 'registration' ? await event.read(call, 0) : undefined
    expect(indexed).toMatchObject({ type: 'balancer-stable', address: id, tokens: assets })
    const reference = { address: id, factory, tokens: assets }
    const state = await getPoolModel('balancer-stable').readBalances?.(reference, call, { time: 0 })
    expect(state?.balances).toEqual(amounts)

    for (const [assetIn, assetOut] of [
      [0, 1],
      [1, 2],
      [2, 0],
    ] as const) {
      // A millionth of the pool at a fee of a millionth.
      const amount = amounts[assetIn]! / 1_000_000n
      const steps = [
        { poolId: id, assetInIndex: assetIn, assetOutIndex: assetOut, amount, userData: '0x' },
      ]
      const funds = {
        sender,
        fromInternalBalance: false,
        recipient: sender,
        toInternalBalance: false,
      }
      const deltas = await read<bigint[]>(vault, balancerAbi, 'queryBatchSwap', [
        0,
        steps,
        assets,
        funds,
      ])
      const quote = Number(-deltas[assetOut]!)
      const price = Number(state?.prices[assetIn]) / Number(state?.prices[assetOut])
      expect(quote / Number(amount) / price).toBeCloseTo(1, 4)
    }
  }
})
