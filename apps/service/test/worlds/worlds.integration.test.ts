import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import type { NodeEndpoint } from '../../src/rpc/transport/NodeEndpoint.ts'
import type { Store } from '../../src/store/Store.ts'
import { describeEachStore, emptyTables } from '../describeEachStore.ts'
import { dumpTables } from '../dumpTables.ts'
import { indexTestChain } from '../indexTestChain.ts'
import { openMemoryStore } from '../openMemoryStore.ts'
import { startTestService } from '../startTestService.ts'
import { testChainConfig } from '../testChainConfig.ts'
import { expectAnswers } from './expectAnswers.ts'
import { expectChainTruth } from './expectChainTruth.ts'
import { RandomWorld } from './RandomWorld.ts'
import { worldSeeds } from './worldSeeds.ts'

const steps = 18

let clean: Store
let world: RandomWorld | undefined
beforeAll(async () => {
  clean = await openMemoryStore()
})
afterAll(() => clean.close())
afterEach(async () => {
  await world?.stop()
  world = undefined
})

const configOf = ({ chain }: RandomWorld, node: string | NodeEndpoint) =>
  testChainConfig(chain.chainId, { ...chain.config, rpcUrls: [node], pollIntervalMs: 20 })

/** Expects the tables to be those of a store that never saw anything but the winning chain. */
async function expectCleanRun(store: Store, of: RandomWorld): Promise<void> {
  await emptyTables(clean)
  const indexer = indexTestChain(clean, configOf(of, of.chain.rpcUrl))
  await indexer.reaches((await of.head()).hash)
  await indexer.stop()
  expect(await dumpTables(store)).toEqual(await dumpTables(clean))
}

/** Asks the API about some of the holders. */
async function expectAnswered(store: Store, of: RandomWorld): Promise<void> {
  const { chain, truth, recount, random } = of
  const service = await startTestService(store, [configOf(of, chain.rpcUrl)])
  const counted = await recount.upTo((await of.head()).number)
  for (let wallet = 0; wallet < 5; wallet++) {
    await expectAnswers(service, truth, counted, random.pick(chain.actors).address)
  }
  await service.close()
}

describeEachStore('a random world is told as its contracts tell it', (openTestStore) => {
  it.each(worldSeeds)('WORLD_SEED=%s', async (seed) => {
    const store = await openTestStore()
    world = await RandomWorld.start(seed)
    const { node, random, truth, recount } = world
    // With and without receipts of whole blocks.
    const config = configOf(world, { url: node.url, blockReceipts: random.chance(50) })
    node.percent = random.pick([0, 10])
    let indexer = indexTestChain(store, config)
    try {
      for (let number = 0; number < steps; number++) {
        const step = await world.draw()
        const restarts = random.chance(20)
        if (restarts) {
          await indexer.stop()
        }
        await world.take(step)
        if (restarts) {
          indexer = indexTestChain(store, config)
        }
        await indexer.reaches((await world.head()).hash)
        node.percent = random.chance(40) ? 20 : 0
        try {
          await expectChainTruth(store, truth, recount)
          if (step.kind === 'reorg') {
            await expectCleanRun(store, world)
          }
          if (number === steps - 1) {
            await expectAnswered(store, world)
          }
        } catch (cause) {
          const told = `WORLD_SEED=${seed}, step ${number}: ${JSON.stringify(step)}`
          throw new Error(told, { cause })
        }
      }
    } finally {
      await indexer.stop()
    }
  })
})
