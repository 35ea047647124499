import { expect, test } from 'vitest'
import type { Bytecodes } from '../contracts/compileContracts.ts'
import { accounts } from '../scenarios/accounts.ts'
import { devnetOdd } from '../scenarios/devnetOdd.ts'
import { devnetOne } from '../scenarios/devnetOne.ts'
import { devnetTwo } from '../scenarios/devnetTwo.ts'
import type { Scenario } from '../scenarios/Scenario.ts'
import { type DeployedPool, oneUsd } from './Deployment.ts'
import { planPast } from './planPast.ts'
import type { World } from './World.ts'

// The plan does not execute the bytecode.
const bytecodes = new Proxy({} as Bytecodes, { get: () => '0x00' })

function plan(scenario: Scenario, seed: string, days: number) {
  const past = planPast(scenario, { seed, days, bytecodes })
  return { ...past, taken: [...past.plan] }
}

const plans = new Map<string, ReturnType<typeof plan>>()

/** A plan that the tests share, because planning takes a while. */
function planned(scenario: Scenario, seed = 'test', days = 21) {
  const key = `${scenario.name} ${seed} ${days}`
  const known = plans.get(key) ?? plan(scenario, seed, days)
  plans.set(key, known)
  return known
}

/** USD on the quote side, at the initial prices. */
function quoteDepth(world: World, pool: DeployedPool): number {
  return Number((world.reservesOf(pool).quote * (pool.quote.unitPrice ?? 0n)) / oneUsd)
}

test('the transactions depend on the seed', () => {
  expect(plan(devnetTwo, 'test', 21).taken).toEqual(planned(devnetTwo).taken)
  expect(planned(devnetTwo, 'other').taken).not.toEqual(planned(devnetTwo).taken)
})

test.each([
  [devnetOne, 21],
  [devnetOdd, 1],
  [devnetTwo, 21],
  [devnetTwo, 0.5],
])('the blocks of %o follow one another and end with the past', (scenario, days) => {
  const { taken, blocks } = planned(scenario, 'test', days)
  expect(taken).toHaveLength(blocks)
  expect(taken.at(-1)?.time).toBe(days * 86_400)
  for (const [index, { time }] of taken.entries()) {
    expect(time).toBeGreaterThan(taken[index - 1]?.time ?? 0)
  }
})

test.each([devnetOne, devnetTwo])('every supply is somewhere, in $name', (scenario) => {
  const { world, deployment } = planned(scenario)
  for (const token of deployment.tokens.slice(1)) {
    expect(world.ledger.totalOf(token.address)).toBe(token.supply * 10n ** BigInt(token.decimals))
  }
  for (const pool of deployment.pools) {
    // A pair holds exactly its reserves: the devnet does not transfer tokens to pairs directly.
    expect(world.reservesOf(pool)).toEqual({
      base: world.ledger.balanceOf(pool.base.address, pool.address),
      quote: world.ledger.balanceOf(pool.quote.address, pool.address),
    })
  }
})

test('the pools have different liquidity, and one token has no pool', () => {
  const { world, deployment } = planned(devnetOne)
  const depths = deployment.pools.map((pool) => quoteDepth(world, pool))
  const depthOf = (symbol: string) =>
    Math.max(0, ...depths.filter((_, index) => deployment.pools[index]?.base.symbol === symbol))
  for (const symbol of ['WETH', 'SBTC', 'DELTA', 'MNDR', 'CASC', 'OXBOW', 'GRAM']) {
    expect(depthOf(symbol)).toBeGreaterThan(10_000)
  }
  expect(depthOf('EDDY')).toBeGreaterThan(100)
  expect(depthOf('EDDY')).toBeLessThan(10_000)
  expect(depthOf(deployment.tokens.find(({ spam }) => spam)?.symbol ?? '')).toBeLessThan(100)
  expect(depthOf('SILT')).toBe(0)
})

test('prices change', () => {
  const scenario = devnetOne
  const past = planPast(scenario, { seed: 'test', days: 21, bytecodes })
  const pool = past.deployment.pools[0]
  if (!pool) {
    throw new Error('The scenario has no pool')
  }
  const prices = new Set<bigint>()
  for (const block of past.plan) {
    expect(block.transactions.length).toBeLessThan(1_000)
    const { base, quote } = past.world.reservesOf(pool)
    if (base > 0n) {
      prices.add((quote * 10n ** 18n) / base)
    }
  }
  expect(prices.size).toBeGreaterThan(200)
})

test('no account spends more native tokens than it has', () => {
  const { world } = planned(devnetOne)
  for (const { address } of accounts) {
    expect(world.nativeOf(address) > 0n).toBe(true)
  }
})

test('a past shorter than an hour is rejected', () => {
  expect(() => planned(devnetTwo, 'test', 0.01)).toThrow(RangeError)
})
