import { afterEach, expect, inject, it, vi } from 'vitest'
import type { Store } from '../../store/Store.ts'
import { describeEachStore } from '../describeEachStore.ts'
import { dumpTables } from '../dumpTables.ts'
import { indexTestChain } from '../indexTestChain.ts'
import { openMemoryStore } from '../openMemoryStore.ts'
import { testChainConfig } from '../testChainConfig.ts'
import { expectChainTruth } from './expectChainTruth.ts'
import { RandomWorld } from './RandomWorld.ts'

// `WORLD_SEEDS=20` runs so many worlds, `WORLD_SEED=3` one again.
const { WORLD_SEED: only, WORLD_SEEDS: count = '2' } = process.env
const seeds = only ? [only] : Array.from({ length: Number(count) }, (_, index) => String(index + 1))
const steps = 14

vi.setConfig({ testTimeout: 240_000 })
void inject

let world: RandomWorld | undefined
afterEach(async () => {
  await world?.stop()
  world = undefined
})

const configOf = ({ chain }: RandomWorld, url: string) =>
  testChainConfig(chain.chainId, { ...chain.config, rpcUrls: [url], pollIntervalMs: 20 })

/** Expects the tables to be those of a store that never saw anything but the winning chain. */
async function expectCleanRun(store: Store, of: RandomWorld): Promise<void> {
  const clean = await openMemoryStore()
  try {
    const indexer = indexTestChain(clean, configOf(of, of.chain.rpcUrl))
    await indexer.reaches((await of.head()).hash)
    await indexer.stop()
    expect(await dumpTables(store)).toEqual(await dumpTables(clean))
  } finally {
    await clean.close()
  }
}

describeEachStore('a random world is told as its contracts tell it', (openTestStore) => {
  it.each(seeds)('WORLD_SEED=%s', async (seed) => {
    const store = await openTestStore()
    world = await RandomWorld.start(seed)
    const config = configOf(world, world.node.url)
    let indexer = indexTestChain(store, config)
    try {
      for (let number = 0; number < steps; number++) {
        const step = await world.draw()
        const told = `WORLD_SEED=${seed}, step ${number}: ${JSON.stringify(step)}`
        world.node.percent = world.random.chance(35) ? 15 : 0
        if (world.random.chance(20)) {
          await indexer.stop()
          indexer = indexTestChain(store, config)
        }
        await world.take(step)
        const head = await world.head()
        await indexer.reaches(head.hash)
        try {
          await expectChainTruth(store, world.truth, world.recount)
          if (step.kind === 'reorg') await expectCleanRun(store, world)
        } catch (error) {
          throw new Error(told, { cause: error })
        }
      }
    } finally {
      await indexer.stop()
    }
  })
})
