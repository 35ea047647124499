import { afterAll, afterEach, beforeAll, expect, inject, it } from 'vitest'
import type { NodeEndpoint } from '../../src/rpc/transport/NodeEndpoint.ts'
import { openStore } from '../../src/store/openStore.ts'
import type { Store } from '../../src/store/Store.ts'
import { createTestDatabase } from '../createTestDatabase.ts'
import { emptyTables } from '../describeEachStore.ts'
import { dumpTables } from '../dumpTables.ts'
import { indexTestChain } from '../indexTestChain.ts'
import { openMemoryStore } from '../openMemoryStore.ts'
import { startTestService } from '../startTestService.ts'
import { testChainConfig } from '../testChainConfig.ts'
import { expectBalances } from './expectBalances.ts'
import { expectChainTruth } from './expectChainTruth.ts'
import { RandomWorld } from './RandomWorld.ts'
import { getWorldVerify, worldSeeds } from './worldSeeds.ts'

const steps = 18
const postgres = inject('postgres')
const kinds = 'missing' in postgres ? 'PGlite' : 'PGlite and PostgreSQL'

/** PGlite, and PostgreSQL where it is available. All index the same world, and their tables must be equal. */
let stores: Store[]
let clean: Store
let dropDatabase = async () => {}
let world: RandomWorld | undefined
beforeAll(async () => {
  clean = await openMemoryStore()
  stores = [await openMemoryStore()]
  if (!('missing' in postgres)) {
    const { url, drop } = await createTestDatabase()
    dropDatabase = drop
    stores.push(await openStore({ databaseUrl: url }))
  }
})
afterAll(async () => {
  await Promise.all([clean, ...stores].map((store) => store.close()))
  await dropDatabase()
})
afterEach(async () => {
  await world?.stop()
  world = undefined
})

const configOf = ({ chain }: RandomWorld, node: string | NodeEndpoint) =>
  testChainConfig(chain.chainId, { ...chain.config, rpcUrls: [node], pollIntervalMs: 20 })

/** Expects the tables to equal those of a store that indexes only the canonical chain. */
async function expectCleanRun(store: Store, of: RandomWorld): Promise<void> {
  await emptyTables(clean)
  const indexer = indexTestChain(clean, configOf(of, of.chain.rpcUrl))
  await indexer.reaches((await of.head()).hash)
  await indexer.stop()
  expect(await dumpTables(store)).toEqual(await dumpTables(clean))
}

/** Requests the balances of some holders from each store. */
async function expectResponses(of: RandomWorld): Promise<void> {
  const { chain, truth, recount, random } = of
  const counted = await recount.upTo((await of.head()).number)
  const wallets = Array.from({ length: 5 }, () => random.pick(chain.accounts).address)
  for (const store of stores) {
    const service = await startTestService(store, [configOf(of, chain.rpcUrl)])
    for (const wallet of wallets) {
      await expectBalances(service, truth, counted, wallet)
    }
    await service.close()
  }
}

it.each(worldSeeds)(
  `indexes the state of the contracts into ${kinds}, WORLD_SEED=%s`,
  async (seed) => {
    await Promise.all(stores.map(emptyTables))
    world = await RandomWorld.start(seed)
    const { node, random, truth, recount } = world
    // With and without receipts of whole blocks.
    const endpoint = { url: node.url, blockReceipts: random.chance(50) }
    const config = { ...configOf(world, endpoint), verify: getWorldVerify(seed) }
    node.percent = random.pick([0, 10])
    const startIndexers = () => stores.map((store) => indexTestChain(store, config))
    let indexers = startIndexers()
    const stopIndexers = () => Promise.all(indexers.map((indexer) => indexer.stop()))
    try {
      for (let number = 0; number < steps; number++) {
        const step = await world.drawStep()
        const restarts = random.chance(20)
        if (restarts) {
          await stopIndexers()
        }
        await world.apply(step)
        if (restarts) {
          indexers = startIndexers()
        }
        const { hash } = await world.head()
        await Promise.all(indexers.map((indexer) => indexer.reaches(hash)))
        node.percent = random.chance(40) ? 20 : 0
        try {
          const [first, ...others] = stores as [Store, ...Store[]]
          await expectChainTruth(first, truth, recount)
          const tables = await dumpTables(first)
          for (const other of others) {
            expect(await dumpTables(other)).toEqual(tables)
          }
          if (step.kind === 'reorg') {
            await expectCleanRun(first, world)
          }
          if (number === steps - 1) {
            await expectResponses(world)
          }
        } catch (cause) {
          const context = `WORLD_SEED=${seed}, step ${number}: ${JSON.stringify(step)}`
          throw new Error(context, { cause })
        }
      }
    } finally {
      await stopIndexers()
    }
  },
)
