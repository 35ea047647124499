import { encodeFunctionData, numberToHex, zeroAddress } from 'viem'
import {
  algebraAbi,
  concentratedFactoryAbi,
  slipstreamAbi,
  uniswapV4Abi,
  venueTraderAbi,
} from '../../contracts/venueArtifacts.ts'
import { squareRoot } from '../swapMath.ts'
import type { World } from '../World.ts'
import { type DeployedVenuePool, getPoolKey, spacings } from './DeployedVenues.ts'
import type { VenueActions } from './VenueActions.ts'
import { contractsOf, ranger, worth, write } from './venueTransactions.ts'

const q96 = 2n ** 96n

/** Ticks on each side of the first price, which trades do not leave by more than a few percent. */
const wide = 12_000
const narrow = 2_400

/** Lowest and highest price to which a swap can move a pool. */
const limits = [
  4_295_128_740n,
  1_461_446_703_485_210_103_287_273_052_203_988_822_378_723_970_341n,
] as const

type ConcentratedType = keyof typeof spacings

/** `sqrtPriceX96` of the prices of the scenario. */
function getRoot({ tokens: [token0, token1] }: DeployedVenuePool): bigint {
  return squareRoot(((token0?.unitPrice ?? 0n) * q96 * q96) / (token1?.unitPrice ?? 1n))
}

/** A range around the first price, and the liquidity that it needs for this value on each side. */
function getPosition(pool: DeployedVenuePool, ticks: number, depthUsd: bigint) {
  const root = getRoot(pool)
  const { spacing } = spacings[pool.type as ConcentratedType]
  const tick = (2 * Math.log(Number(root) / Number(q96))) / Math.log(1.0001)
  const toUsable = (each: number) => Math.round(each / spacing) * spacing
  const [token0] = pool.tokens
  const width = 1.0001 ** (ticks / 2)
  const amount = token0 ? Number(worth(token0, depthUsd)) : 0
  const liquidity = (amount * (Number(root) / Number(q96)) * width) / (width - 1)
  return {
    tickLower: toUsable(tick - ticks),
    tickUpper: toUsable(tick + ticks),
    depthUsd,
    liquidity: BigInt(Math.round(liquidity)),
  }
}

type Modify = (
  world: World,
  pool: DeployedVenuePool,
  position: ReturnType<typeof getPosition>,
  sign: bigint,
) => void

function createProvide(modify: Modify): VenueActions['provide'] {
  return (world, pool, permille, isRemoval) => {
    const position = getPosition(pool, narrow, (pool.depthUsd * permille) / 1_000n)
    modify(world, pool, position, isRemoval ? -1n : 1n)
  }
}

/** Pools that call their trader: the contract of the ranger. */
function createContractVenue(
  create: (world: World, pool: DeployedVenuePool, root: bigint) => void,
): VenueActions {
  const modify: Modify = (world, { type, address }, position, sign) => {
    const data = encodeFunctionData({
      abi: venueTraderAbi,
      functionName: sign > 0n ? 'mint' : 'burn',
      args: [
        ...([address, type === 'algebra', position.tickLower, position.tickUpper] as const),
        position.liquidity,
      ],
    })
    write(world, contractsOf(world).trader, data)
  }
  return {
    open: (world, pool) => {
      create(world, pool, getRoot(pool))
      modify(world, pool, getPosition(pool, wide, pool.depthUsd), 1n)
    },
    swap: (world, pool, sold, _, amount) => {
      const args = [pool.address, sold === 0, amount] as const
      const data = encodeFunctionData({ abi: venueTraderAbi, functionName: 'swap', args })
      write(world, contractsOf(world).trader, data)
    },
    provide: createProvide(modify),
  }
}

function initialize(world: World, { address }: DeployedVenuePool, root: bigint): void {
  const args = [root] as const
  write(
    world,
    address,
    encodeFunctionData({ abi: venueTraderAbi, functionName: 'initialize', args }),
  )
}

function addressesOf({ tokens }: DeployedVenuePool) {
  const [token0 = zeroAddress, token1 = zeroAddress] = tokens.map(({ address }) => address)
  return [token0, token1] as const
}

const modifyUniswapV4: Modify = (world, pool, position, sign) => {
  const { tickLower, tickUpper, liquidity } = position
  const salt = numberToHex(0, { size: 32 })
  const data = encodeFunctionData({
    abi: uniswapV4Abi,
    functionName: 'modifyLiquidity',
    args: [
      getPoolKey(pool.tokens),
      { tickLower, tickUpper, liquidityDelta: sign * liquidity, salt },
      '0x',
    ],
  })
  // The router returns what is left; trades may have moved the price.
  const [token0] = pool.tokens
  const isNative = token0?.address === zeroAddress
  const value = sign > 0n && isNative ? worth(token0, position.depthUsd * 2n) : 0n
  write(world, contractsOf(world).uniswapV4LiquidityRouter, data, value)
}

export const concentratedVenues: Readonly<Record<ConcentratedType, VenueActions>> = {
  'uniswap-v4': {
    open: (world, pool) => {
      const { uniswapV4Manager, uniswapV4SwapRouter, uniswapV4LiquidityRouter } = contractsOf(world)
      for (const { address } of pool.tokens) {
        if (address !== zeroAddress) {
          world.approve(ranger, address, uniswapV4SwapRouter)
          world.approve(ranger, address, uniswapV4LiquidityRouter)
        }
      }
      const args = [getPoolKey(pool.tokens), getRoot(pool)] as const
      const data = encodeFunctionData({ abi: uniswapV4Abi, functionName: 'initialize', args })
      write(world, uniswapV4Manager, data)
      modifyUniswapV4(world, pool, getPosition(pool, wide, pool.depthUsd), 1n)
    },
    swap: (world, pool, sold, _, amount) => {
      const isNative = pool.tokens[sold]?.address === zeroAddress
      const data = encodeFunctionData({
        abi: uniswapV4Abi,
        functionName: 'swap',
        args: [
          getPoolKey(pool.tokens),
          {
            zeroForOne: sold === 0,
            amountSpecified: -amount,
            sqrtPriceLimitX96: limits[sold === 0 ? 0 : 1],
          },
          { takeClaims: false, settleUsingBurn: false },
          '0x',
        ],
      })
      write(world, contractsOf(world).uniswapV4SwapRouter, data, isNative ? amount : 0n)
    },
    provide: createProvide(modifyUniswapV4),
  },
  'pancakeswap-v3': createContractVenue((world, pool, root) => {
    const args = [...addressesOf(pool), spacings['pancakeswap-v3'].fee] as const
    const abi = concentratedFactoryAbi
    const data = encodeFunctionData({ abi, functionName: 'createPool', args })
    write(world, contractsOf(world).pancakeswapV3Factory, data)
    initialize(world, pool, root)
  }),
  slipstream: createContractVenue((world, pool, root) => {
    const args = [...addressesOf(pool), spacings.slipstream.spacing, root] as const
    const data = encodeFunctionData({ abi: slipstreamAbi, functionName: 'createPool', args })
    write(world, contractsOf(world).slipstreamFactory, data)
  }),
  algebra: createContractVenue((world, pool, root) => {
    const args = [...addressesOf(pool), '0x'] as const
    const data = encodeFunctionData({ abi: algebraAbi, functionName: 'createPool', args })
    write(world, contractsOf(world).algebraFactory, data)
    initialize(world, pool, root)
  }),
}
