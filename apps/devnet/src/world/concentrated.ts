import { type Address, encodeFunctionData, maxUint256 } from 'viem'
import { concentratedAbi as abi } from '../contracts/abi.ts'
import { getAccount } from '../scenarios/accounts.ts'
import { type DeployedConcentratedPool, type DeployedToken, oneUsd } from './Deployment.ts'
import { squareRoot } from './swapMath.ts'
import type { World } from './World.ts'

// The plan models only the prices of Uniswap V3: a swap has a price limit and pays what is needed to reach it. For the single
// account that uses it and its pools, only the sum of the balances is known.
const ranger = getAccount('ranger').address

const spacings = { 500: 10, 3_000: 60, 10_000: 200 } as const
const q96 = 2n ** 96n

/** Ticks on each side of the price, and the percentage of a pool's liquidity in that range. */
const ranges = [
  { ticks: 60_000, percent: 15n },
  { ticks: 9_000, percent: 40n },
  { ticks: 2_400, percent: 30n },
  { ticks: 600, percent: 15n },
] as const

/** The target `sqrtPriceX96` of a pool from the values of the smallest units. */
export function squareRootPrice(
  { base, quote }: DeployedConcentratedPool,
  priceBase: bigint,
  priceQuote: bigint,
): bigint {
  const [price0, price1] =
    base.address < quote.address ? [priceBase, priceQuote] : [priceQuote, priceBase]
  return squareRoot((price0 * q96 * q96) / price1)
}

/** The value of a smallest unit of the base token at this `sqrtPriceX96`, in the unit of the quote's value. */
export function priceOfBase(
  { base, quote }: DeployedConcentratedPool,
  root: bigint,
  priceQuote: bigint,
): bigint {
  const squared = root * root
  return base.address < quote.address
    ? (priceQuote * squared) / (q96 * q96)
    : (priceQuote * q96 * q96) / squared
}

/** Creates a pool at the scenario's prices, with positions of several widths around the price, or all out of range. */
export function openConcentratedPool(world: World, pool: DeployedConcentratedPool): void {
  const { positions } = world.deployment.concentrated
  const priceBase = priceOf(pool.base)
  const priceQuote = priceOf(pool.quote)
  const shown = pool.plan.outOfRange ? 1_000n : 1n
  const root = squareRootPrice(pool, priceBase * shown, priceQuote)
  const [token0, token1] = sidesOf(pool)
  const data = encodeFunctionData({
    abi,
    functionName: 'createAndInitializePoolIfNecessary',
    args: [token0.address, token1.address, pool.plan.fee, root],
  })
  world.write({ from: ranger, to: positions, data, value: 0n, gas: 6_000_000 })
  world.squareRootPrices.set(pool.address, root)
  if (pool.plan.outOfRange) {
    // The position is below the price and holds only the quote token.
    const quoteIs0 = token0 === pool.quote
    const tick = tickAt(root)
    const [lower, upper] = quoteIs0 ? [tick + 6_000, tick + 12_000] : [tick - 12_000, tick - 6_000]
    provide(world, pool, lower, upper, pool.plan.depthUsd)
    return
  }
  for (const { ticks, percent } of ranges) {
    const tick = tickAt(root)
    provide(world, pool, tick - ticks, tick + ticks, (pool.plan.depthUsd * percent) / 100n)
  }
}

/**
 * Adds a position with at most this amount on each side.
 *
 * @returns its id
 */
function provide(
  world: World,
  pool: DeployedConcentratedPool,
  tickLower: number,
  tickUpper: number,
  depthUsd: bigint,
): bigint {
  const { positions } = world.deployment.concentrated
  const [token0, token1] = sidesOf(pool)
  const spacing = spacings[pool.plan.fee]
  const usable = (tick: number) => Math.round(tick / spacing) * spacing
  for (const { address } of [token0, token1]) {
    world.approve(ranger, address, positions)
  }
  const data = encodeFunctionData({
    abi,
    functionName: 'mint',
    args: [
      {
        token0: token0.address,
        token1: token1.address,
        fee: pool.plan.fee,
        tickLower: usable(tickLower),
        tickUpper: usable(tickUpper),
        amount0Desired: (depthUsd * oneUsd) / priceOf(token0),
        amount1Desired: (depthUsd * oneUsd) / priceOf(token1),
        amount0Min: 0n,
        amount1Min: 0n,
        recipient: ranger,
        deadline: maxUint256,
      },
    ],
  })
  world.write({ from: ranger, to: positions, data, value: 0n, gas: 900_000 })
  return ++world.positions
}

/**
 * Adds a position around the current price of the pool.
 *
 * @returns its id, and a lower bound of its liquidity
 */
export function provideAround(
  world: World,
  pool: DeployedConcentratedPool,
  ticks: number,
  depthUsd: bigint,
): { tokenId: bigint; liquidity: bigint } | undefined {
  const shown = world.squareRootPrices.get(pool.address)
  if (shown === undefined) {
    return undefined
  }
  const tick = tickAt(shown)
  const tokenId = provide(world, pool, tick - ticks, tick + ticks, depthUsd)
  const root = Number(shown) / Number(q96)
  const away = 1.0001 ** (ticks / 2)
  const amount = (token: DeployedToken) => Number((depthUsd * oneUsd) / priceOf(token))
  const [token0, token1] = sidesOf(pool)
  const liquidity = Math.min(
    (amount(token0) * root * away) / (away - 1),
    amount(token1) / (root - root / away),
  )
  // Three digits are safe against rounding differences.
  return { tokenId, liquidity: BigInt(Number((liquidity / 3).toPrecision(3)).toFixed(0)) }
}

/** Removes liquidity from a position and collects its fees. */
export function withdrawLiquidity(world: World, tokenId: bigint, liquidity: bigint): void {
  const { positions } = world.deployment.concentrated
  const deadline = maxUint256
  const most = 2n ** 128n - 1n
  const decrease = encodeFunctionData({
    abi,
    functionName: 'decreaseLiquidity',
    args: [{ tokenId, liquidity, amount0Min: 0n, amount1Min: 0n, deadline }],
  })
  const collect = encodeFunctionData({
    abi,
    functionName: 'collect',
    args: [{ tokenId, recipient: ranger, amount0Max: most, amount1Max: most }],
  })
  world.write({ from: ranger, to: positions, data: decrease, value: 0n, gas: 400_000 })
  world.write({ from: ranger, to: positions, data: collect, value: 0n, gas: 300_000 })
}

/** Swaps in a pool until it reaches a price, given as `sqrtPriceX96`, unless it has that price already. */
export function swapToRoot(world: World, pool: DeployedConcentratedPool, root: bigint): void {
  const current = world.squareRootPrices.get(pool.address)
  if (current === undefined || current === root) {
    return
  }
  const [token0, token1] = sidesOf(pool)
  const [tokenIn, tokenOut] = root < current ? [token0, token1] : [token1, token0]
  writeSwap(world, pool, ranger, tokenIn, tokenOut, 2n ** 120n, root)
  world.squareRootPrices.set(pool.address, root)
}

/** Swaps an exact amount. The output and the new price are unknown until the world is read again. */
export function swapExact(
  world: World,
  pool: DeployedConcentratedPool,
  from: Address,
  tokenIn: Address,
  amountIn: bigint,
): void {
  const [paid, got] =
    pool.base.address === tokenIn ? [pool.base, pool.quote] : [pool.quote, pool.base]
  if (paid.address !== tokenIn) {
    throw new RangeError(`The pool ${pool.address} does not trade ${tokenIn}`)
  }
  world.ledger.move(tokenIn, from, pool.address, amountIn)
  writeSwap(world, pool, from, paid, got, amountIn, 0n)
  world.squareRootPrices.delete(pool.address)
}

function writeSwap(
  world: World,
  pool: DeployedConcentratedPool,
  from: Address,
  tokenIn: DeployedToken,
  tokenOut: DeployedToken,
  amountIn: bigint,
  sqrtPriceLimitX96: bigint,
): void {
  const { router } = world.deployment.concentrated
  world.approve(from, tokenIn.address, router)
  const data = encodeFunctionData({
    abi,
    functionName: 'exactInputSingle',
    args: [
      {
        tokenIn: tokenIn.address,
        tokenOut: tokenOut.address,
        fee: pool.plan.fee,
        recipient: from,
        deadline: maxUint256,
        amountIn,
        amountOutMinimum: 0n,
        sqrtPriceLimitX96,
      },
    ],
  })
  world.write({ from, to: router, data, value: 0n, gas: 1_500_000 })
}

function sidesOf({ base, quote }: DeployedConcentratedPool): [DeployedToken, DeployedToken] {
  return base.address < quote.address ? [base, quote] : [quote, base]
}

function priceOf(token: DeployedToken): bigint {
  if (token.unitPrice === undefined) {
    throw new RangeError(`${token.symbol} has no price`)
  }
  return token.unitPrice
}

/** The approximate tick of a price. */
function tickAt(root: bigint): number {
  return Math.floor((2 * Math.log(Number(root) / Number(q96))) / Math.log(1.0001))
}
