import { expect, test } from 'vitest'
import type { Bytecodes } from './contracts/compileContracts.ts'
import { LiveTraffic } from './LiveTraffic.ts'
import { devnetOne } from './scenarios/devnetOne.ts'
import { devnetTwo } from './scenarios/devnetTwo.ts'
import { seededRandom } from './seededRandom.ts'
import { planPast, smallHoldersOf } from './world/planPast.ts'

// The plan does not execute the bytecode.
const bytecodes = new Proxy({} as Bytecodes, { get: () => '0x00' })

test.each([devnetOne, devnetTwo])(
  'stablecoins keep their peg at every block, in $name',
  async (scenario) => {
    const { world, deployment, plan } = planPast(scenario, { seed: 'test', days: 1, bytecodes })
    expect([...plan]).not.toEqual([])
    const pools = deployment.pools.filter(({ base, quote }) =>
      [base, quote].every(({ symbol }) => scenario.stablecoins.includes(symbol)),
    )
    expect(pools).not.toEqual([])
    const traffic = new LiveTraffic(
      {
        world,
        readWorld: () => Promise.resolve(),
        mine: () => Promise.resolve(void world.takeTransactions()),
      },
      seededRandom('test'),
      smallHoldersOf('test', scenario),
      scenario.secondsBetweenBlocks,
    )
    const differences: number[] = []
    for (let block = 0; block < 1_500; block++) {
      await traffic.mineBlock()
      for (const pool of pools) {
        const { base, quote } = world.reservesOf(pool)
        const priceBase =
          Number(quote) / 10 ** pool.quote.decimals / (Number(base) / 10 ** pool.base.decimals)
        differences.push(Math.abs(priceBase - 1))
      }
    }
    // Beyond 2 %, the service prices them by their pools.
    expect(Math.max(...differences)).toBeLessThan(0.015)
  },
)
