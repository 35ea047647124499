import { type Address, maxUint256, parseAbi } from 'viem'
import { compileContracts, type SeededRandom } from '@headwater/devnet'
import type { ContractClient } from './createContractClient.ts'
import type { VenuePool } from './VenuePool.ts'

const abi = parseAbi([
  'function mint() payable',
  'function burn(uint256 amount)',
  'function balanceOf(address) view returns (uint256)',
  'function totalSupply() view returns (uint256)',
  'function getEthValue(uint256 amount) view returns (uint256)',
  'function submit() payable',
  'function approve(address spender, uint256 amount)',
  'function report(uint256 total)',
  'function wrap(uint256 amount)',
  'function unwrap(uint256 amount)',
  'function getPooledEthByShares(uint256 shares) view returns (uint256)',
  'function getSharesByPooledEth(uint256 amount) view returns (uint256)',
  'function WSTETH() view returns (address)',
])
const ether = 10n ** 18n

/**
 * Creates staking tokens with the interfaces of rETH and wstETH.
 *
 * @param sender - an account with the native asset.
 * @param wrappedNative - what stands for it.
 */
export async function startStakingVenues(
  { deploy, execute, read, send }: ContractClient,
  sender: Address,
  wrappedNative: Address,
): Promise<VenuePool[]> {
  const { StakingToken, RebasedStake } = await compileContracts()

  async function createRocketPool(): Promise<VenuePool> {
    const token = await deploy(StakingToken)
    const amountOf = (random: SeededRandom) => ether * BigInt(random.integer(1, 1_000))
    return {
      type: 'rocket-pool',
      option: 'rocketPoolTokens',
      factory: token,
      pool: token,
      tokens: [token, wrappedNative],
      decimals: [18, 18],
      getFee: async () => 0n,
      change: async (random) => {
        const held = await read<bigint>(token, abi, 'balanceOf', [sender])
        const action = held === 0n ? 0 : random.integer(0, 2)
        if (action === 0) {
          await execute(token, abi, 'mint', [], amountOf(random))
        } else if (action === 1) {
          // Rewards.
          await send(token, '0x', amountOf(random))
        } else {
          await execute(token, abi, 'burn', [(held * BigInt(random.integer(1, 500))) / 1000n])
        }
      },
      sell: async (zeroForOne, amount) => {
        if (!zeroForOne) {
          throw new Error('The contract has no quote of what it mints')
        }
        return await read<bigint>(token, abi, 'getEthValue', [amount])
      },
    }
  }

  async function createLido(): Promise<VenuePool> {
    const stake = await deploy(RebasedStake)
    const wrapped = (await read<Address>(stake, abi, 'WSTETH', [])).toLowerCase() as Address
    return {
      type: 'lido',
      option: 'lidoTokens',
      factory: stake,
      pool: stake,
      tokens: [wrapped, stake],
      decimals: [18, 18],
      getFee: async () => 0n,
      change: async (random) => {
        if ((await read<bigint>(stake, abi, 'totalSupply', [])) === 0n) {
          await execute(stake, abi, 'submit', [], 10_000n * ether)
          await execute(stake, abi, 'approve', [wrapped, maxUint256])
          await execute(wrapped, abi, 'wrap', [5_000n * ether])
        }
        const isWrapped = random.chance(50)
        const held = await read<bigint>(isWrapped ? stake : wrapped, abi, 'balanceOf', [sender])
        const part = (held * BigInt(random.integer(1, 500))) / 1000n
        await execute(wrapped, abi, isWrapped ? 'wrap' : 'unwrap', [part])
        // Rewards and penalties.
        const total = await read<bigint>(stake, abi, 'totalSupply', [])
        await execute(stake, abi, 'report', [
          total + (total * BigInt(random.integer(-40, 40))) / 1000n + BigInt(random.integer(1, 9)),
        ])
      },
      sell: async (zeroForOne, amount) =>
        await read<bigint>(
          stake,
          abi,
          zeroForOne ? 'getPooledEthByShares' : 'getSharesByPooledEth',
          [amount],
        ),
    }
  }

  return [await createRocketPool(), await createLido()]
}
