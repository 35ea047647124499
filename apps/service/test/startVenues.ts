import {
  type Address,
  encodeAbiParameters,
  getContractAddress,
  type Hex,
  keccak256,
  maxUint256,
  numberToHex,
  parseAbi,
  zeroAddress,
} from 'viem'
import { compileContracts, type SeededRandom } from '@headwater/devnet'
import {
  algebraAbi,
  algebraFactoryBytecode,
  algebraPoolDeployerBytecode,
  concentratedFactoryAbi,
  pancakeswapV3FactoryBytecode,
  pancakeswapV3PoolBytecode,
  slipstreamAbi,
  solidlyAbi,
  uniswapV2FactoryBytecode,
  uniswapV2RouterBytecode,
  uniswapV3FactoryBytecode,
  uniswapV3PoolBytecode,
  uniswapV4Abi,
  uniswapV4LiquidityRouterBytecode,
  uniswapV4ManagerBytecode,
  uniswapV4SwapRouterBytecode,
  venueTraderAbi,
} from '@headwater/devnet/venues'
import { createContractClient } from './createContractClient.ts'
import { startAnvil } from './startAnvil.ts'
import { startBalanceVenues } from './startBalanceVenues.ts'
import { startStakingVenues } from './startStakingVenues.ts'
import type { VenuePool } from './VenuePool.ts'

const abi = parseAbi([
  'function transfer(address to, uint256 amount)',
  'function approve(address spender, uint256 amount)',
  'function createPair(address tokenA, address tokenB)',
  'function getPair(address tokenA, address tokenB) view returns (address)',
  'function sync()',
  'function getAmountsOut(uint256 amountIn, address[] path) view returns (uint256[])',
])

const q96 = 2n ** 96n
/** Lowest and highest price to which a pool can be moved. */
const limits = [
  4_295_128_740n,
  1_461_446_703_485_210_103_287_273_052_203_988_822_378_723_970_341n,
] as const

/** Starts a node with a pool of each type. */
export async function startVenues() {
  // Older states would be written to disk.
  const node = await startAnvil(
    ...['--gas-limit', '1000000000', '--base-fee', '0', '--prune-history', '512'],
  )
  const [sender] = (await node.call<Address[]>('eth_accounts')) as [Address]
  const client = createContractClient(node, sender)
  const { execute, read, deploy } = client
  const bytecodes = await compileContracts()
  const trader = await deploy(bytecodes.VenueTrader)
  const createTokens = async (decimals: readonly [number, number]) => {
    const created: { address: Address; decimals: number }[] = []
    for (const each of decimals) {
      const address = await deploy(
        bytecodes.DevnetToken,
        ['string', 'string', 'uint8', 'uint256', 'address'],
        ['Token', 'TOK', each, 2n ** 250n, sender],
      )
      await execute(address, abi, 'transfer', [trader, 2n ** 249n])
      created.push({ address, decimals: each })
    }
    const [a, b] = created.sort((one, other) => (one.address < other.address ? -1 : 1))
    if (!a || !b) {
      throw new Error('Two tokens are needed')
    }
    return {
      tokens: [a.address, b.address] as const,
      decimals: [a.decimals, b.decimals] as const,
    }
  }
  const pair = await createTokens([18, 18])
  const unequalPair = await createTokens([18, 6])
  const { tokens } = pair
  const lower = (address: Address) => address.toLowerCase() as Address

  async function createUniswapV2(): Promise<VenuePool> {
    const factory = await deploy(uniswapV2FactoryBytecode, ['address'], [sender])
    const router = await deploy(uniswapV2RouterBytecode, ['address', 'address'], [factory, sender])
    await execute(factory, abi, 'createPair', tokens)
    const pool = lower(await read<Address>(factory, abi, 'getPair', tokens))
    // Donations are limited by 112 bits.
    const { change } = createDonations(pool, 10n ** 26n, () => execute(pool, abi, 'sync', []))
    return {
      ...pair,
      type: 'uniswap-v2',
      option: 'uniswapV2Factories',
      factory,
      pool,
      change,
      getFee: async () => 3000n,
      sell: async (zeroForOne, amountIn) => {
        const path = zeroForOne ? tokens : tokens.toReversed()
        const amounts = await read<bigint[]>(router, abi, 'getAmountsOut', [amountIn, path])
        return amounts[1] ?? 0n
      },
    }
  }

  function createDonations(pool: Address, scale: bigint, update: () => Promise<unknown>) {
    const change = async (random: SeededRandom) => {
      for (const token of random.chance(50) ? tokens : [random.pick(tokens)]) {
        const amount = (scale * BigInt(random.integer(1, 1_000_000))) / 1_000_000n
        await execute(token, abi, 'transfer', [pool, amount])
      }
      await update()
    }
    return { change }
  }

  async function createSolidly(
    stable: boolean,
    factory: Address,
    { tokens, decimals }: typeof pair,
  ): Promise<VenuePool> {
    await execute(factory, solidlyAbi, 'createPool', [...tokens, stable])
    const pool = lower(await read<Address>(factory, solidlyAbi, 'getPool', [...tokens, stable]))
    const units = decimals.map((each) => 10n ** BigInt(each))
    return {
      tokens,
      decimals,
      type: stable ? 'solidly-stable' : 'solidly-volatile',
      option: 'solidlyFactories',
      factory,
      pool,
      getFee: async () => (stable ? 500n : 3000n),
      change: async (random) => {
        const reserves = await read<bigint[]>(pool, solidlyAbi, 'getReserves', [])
        // Whole tokens. More would exceed 256 bits in the contract.
        const size = 10n ** BigInt(random.integer(7, 9))
        const target = units.map(
          (unit) => (unit * size * BigInt(random.integer(1000, 9000))) / 1000n,
        )
        if (reserves.some((reserve) => reserve > 0n)) {
          await execute(pool, solidlyAbi, 'burn', [trader, ...reserves.slice(0, 2)])
        }
        for (const [index, token] of tokens.entries()) {
          await execute(token, abi, 'transfer', [pool, target[index]])
        }
        await execute(pool, solidlyAbi, 'mint', [sender])
      },
      sell: async (zeroForOne, amountIn) =>
        await read<bigint>(pool, solidlyAbi, 'getAmountOut', [
          amountIn,
          zeroForOne ? tokens[0] : tokens[1],
        ]),
    }
  }

  /**
   * Random mints, burns and swaps, in ranges of a tick spacing. A sequence burns only what it has minted itself, as a reorg may
   * have undone that of others.
   */
  function createLiquidityChanges(
    spacing: number,
    modify: (lower: number, upper: number, change: bigint) => Promise<unknown>,
    swap: (zeroForOne: boolean, amount: bigint) => Promise<unknown>,
  ) {
    const heldBy = new WeakMap<
      SeededRandom,
      { lower: number; upper: number; liquidity: bigint }[]
    >()
    const full = Math.floor(887_272 / spacing) * spacing
    return async (random: SeededRandom) => {
      const held = heldBy.get(random) ?? []
      heldBy.set(random, held)
      if (held.length === 0) {
        await modify(-full, full, 10n ** 24n)
        held.push({ lower: -full, upper: full, liquidity: 0n })
      }
      const action = random.integer(0, 3)
      const index = held.length - 1
      const last = held[index]
      if (action === 0 && last && last.liquidity > 0n) {
        const change = random.chance(50) ? last.liquidity : last.liquidity / 3n
        await modify(last.lower, last.upper, -change)
        last.liquidity -= change
        if (last.liquidity === 0n) {
          held.pop()
        }
      } else if (action < 2) {
        const at = random.integer(-200, 200) * spacing
        const upper = at + random.integer(1, 60) * spacing
        const liquidity = 10n ** 22n * BigInt(random.integer(1, 10_000))
        await modify(at, upper, liquidity)
        held.push({ lower: at, upper, liquidity })
      } else {
        await swap(random.chance(50), 10n ** 22n * BigInt(random.integer(1, 50)))
      }
    }
  }

  function createConcentrated(
    fields: Pick<VenuePool, 'type' | 'option' | 'factory'> & { pool: Address },
    spacing: number,
  ): VenuePool {
    const { pool, type } = fields
    const isAlgebra = type === 'algebra'
    return {
      ...pair,
      ...fields,
      getFee: async () => BigInt(await read<number>(pool, venueTraderAbi, 'fee', [])),
      change: createLiquidityChanges(
        spacing,
        (from, to, change) =>
          change > 0n
            ? execute(trader, venueTraderAbi, 'mint', [pool, isAlgebra, from, to, change])
            : execute(trader, venueTraderAbi, 'burn', [pool, isAlgebra, from, to, -change]),
        (zeroForOne, amount) => execute(trader, venueTraderAbi, 'swap', [pool, zeroForOne, amount]),
      ),
      sell: async (zeroForOne, amountIn) => {
        const amounts = await read<bigint[]>(trader, venueTraderAbi, 'swap', [
          pool,
          zeroForOne,
          amountIn,
        ])
        return -(amounts[zeroForOne ? 1 : 0] ?? 0n)
      },
    }
  }

  async function createUniswapV3() {
    const factory = await deploy(uniswapV3FactoryBytecode)
    await execute(factory, concentratedFactoryAbi, 'createPool', [...tokens, 3000])
    const pool = lower(
      await read<Address>(factory, concentratedFactoryAbi, 'getPool', [...tokens, 3000]),
    )
    await execute(pool, venueTraderAbi, 'initialize', [q96])
    return createConcentrated(
      { type: 'uniswap-v3', option: 'uniswapV3Factories', factory, pool },
      60,
    )
  }

  async function createPancakeswapV3() {
    // Its deployer, which no package has, is a part of the imitated Slipstream factory.
    const deployer = await deploy(
      bytecodes.SlipstreamFactory,
      ['bytes'],
      [pancakeswapV3PoolBytecode],
    )
    const factory = await deploy(pancakeswapV3FactoryBytecode, ['address'], [deployer])
    await execute(factory, concentratedFactoryAbi, 'createPool', [...tokens, 2500])
    const pool = lower(
      await read<Address>(factory, concentratedFactoryAbi, 'getPool', [...tokens, 2500]),
    )
    await execute(pool, venueTraderAbi, 'initialize', [q96])
    return createConcentrated(
      { type: 'pancakeswap-v3', option: 'pancakeswapV3Factories', factory, pool },
      50,
    )
  }

  async function createSlipstream() {
    const factory = await deploy(bytecodes.SlipstreamFactory, ['bytes'], [uniswapV3PoolBytecode])
    await execute(factory, slipstreamAbi, 'createPool', [...tokens, 200, q96])
    const pool = lower(await read<Address>(factory, slipstreamAbi, 'getPool', [...tokens, 200]))
    return createConcentrated(
      { type: 'slipstream', option: 'slipstreamFactories', factory, pool },
      200,
    )
  }

  async function createAlgebra(): Promise<VenuePool> {
    const nonce = BigInt(await node.call<Hex>('eth_getTransactionCount', sender, 'latest'))
    const deployer = getContractAddress({ from: sender, nonce: nonce + 1n })
    const factory = await deploy(algebraFactoryBytecode, ['address'], [deployer])
    await deploy(algebraPoolDeployerBytecode, ['address'], [factory])
    await execute(factory, algebraAbi, 'createPool', [...tokens, '0x'])
    const pool = lower(await read<Address>(factory, algebraAbi, 'poolByPair', tokens))
    await execute(pool, venueTraderAbi, 'initialize', [q96])
    const created = createConcentrated(
      { type: 'algebra', option: 'algebraFactories', factory, pool },
      60,
    )
    return {
      ...created,
      change: async (random) => {
        await created.change(random)
        if (random.chance(20)) {
          await execute(pool, algebraAbi, 'setFee', [random.integer(1, 60_000)])
        }
      },
    }
  }

  async function createUniswapV4(isNative: boolean, factory: Address): Promise<VenuePool> {
    const swapRouter = await deploy(uniswapV4SwapRouterBytecode, ['address'], [factory])
    const liquidityRouter = await deploy(uniswapV4LiquidityRouterBytecode, ['address'], [factory])
    for (const token of tokens) {
      await execute(token, abi, 'approve', [swapRouter, maxUint256])
      await execute(token, abi, 'approve', [liquidityRouter, maxUint256])
    }
    const fee = 3000
    const key = {
      currency0: isNative ? zeroAddress : tokens[0],
      currency1: tokens[1],
      fee,
      tickSpacing: 60,
      hooks: zeroAddress,
    }
    // The routers return what is left.
    const value = isNative ? 10n ** 30n : 0n
    await node.call('anvil_setBalance', sender, numberToHex(10n ** 40n))
    await execute(factory, uniswapV4Abi, 'initialize', [key, q96])
    const encodeSwap = (zeroForOne: boolean, amount: bigint) => [
      key,
      { zeroForOne, amountSpecified: -amount, sqrtPriceLimitX96: limits[zeroForOne ? 0 : 1] },
      { takeClaims: false, settleUsingBurn: false },
      '0x',
    ]
    return {
      ...pair,
      tokens: [isNative ? wrappedNative : tokens[0], tokens[1]],
      type: 'uniswap-v4',
      option: 'uniswapV4Managers',
      factory,
      pool: keccak256(
        encodeAbiParameters(
          ['address', 'address', 'uint24', 'int24', 'address'].map((type) => ({ type })),
          Object.values(key),
        ),
      ),
      getFee: async () => BigInt(fee),
      change: createLiquidityChanges(
        60,
        (tickLower, tickUpper, liquidityDelta) =>
          execute(
            liquidityRouter,
            uniswapV4Abi,
            'modifyLiquidity',
            [
              key,
              { tickLower, tickUpper, liquidityDelta, salt: numberToHex(0, { size: 32 }) },
              '0x',
            ],
            value,
          ),
        (zeroForOne, amount) =>
          execute(swapRouter, uniswapV4Abi, 'swap', encodeSwap(zeroForOne, amount), value),
      ),
      sell: async (zeroForOne, amountIn) => {
        const args = encodeSwap(zeroForOne, amountIn)
        const delta = await read<bigint>(swapRouter, uniswapV4Abi, 'swap', args, value)
        return zeroForOne ? BigInt.asIntN(128, delta) : delta >> 128n
      },
    }
  }

  const wrappedNative = lower(`0x${'ee'.repeat(20)}`)
  const solidlyFactory = await deploy(bytecodes.SolidlyFactory)
  const manager = await deploy(uniswapV4ManagerBytecode, ['address'], [sender])
  const pools = [
    await createUniswapV2(),
    await createUniswapV3(),
    await createUniswapV4(false, manager),
    await createUniswapV4(true, manager),
    await createPancakeswapV3(),
    await createSlipstream(),
    await createAlgebra(),
    await createSolidly(false, solidlyFactory, pair),
    await createSolidly(true, solidlyFactory, pair),
    await createSolidly(true, solidlyFactory, unequalPair),
    ...(await startBalanceVenues(client, sender)),
    ...(await startStakingVenues(client, sender, wrappedNative)),
  ]
  return { node, pools, wrappedNative }
}
