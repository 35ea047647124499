import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, beforeEach, expect, inject, it } from 'vitest'
import { loadCursor } from '../../src/indexing/follow/Cursor.ts'
import { openStore } from '../../src/store/openStore.ts'
import type { StoreLocation } from '../../src/store/Store.ts'
import { createTestDatabase } from '../createTestDatabase.ts'
import { startS3 } from '../startS3.ts'
import { startServiceProcess } from '../startServiceProcess.ts'
import { expectChainTruth } from './expectChainTruth.ts'
import { RandomWorld } from './RandomWorld.ts'
import type { StoredRows } from './readRows.ts'
import { getWorldVerify, worldSeeds } from './worldSeeds.ts'

/** A service on a store of its own. All index the same world and are killed at the same time. */
interface Target {
  readonly location: StoreLocation
  service?: ReturnType<typeof startServiceProcess>
}

const postgres = inject('postgres')
const kinds = 'missing' in postgres ? 'PGlite' : 'PGlite and PostgreSQL'

let folder: string
let world: RandomWorld | undefined
let targets: Target[]
let dropDatabase = async () => {}
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'headwater-worlds-'))
  targets = [{ location: { folder: join(folder, 'headwater-data') } }]
  if (!('missing' in postgres)) {
    const { url, drop } = await createTestDatabase()
    dropDatabase = drop
    targets.push({ location: { databaseUrl: url } })
  }
})
afterEach(async () => {
  for (const { service } of targets) {
    await service?.kill('SIGKILL')
  }
  await dropDatabase()
  await world?.stop()
  world = undefined
  rmSync(folder, { recursive: true, force: true })
})

// Processes are slow to start: one world, unless more are requested.
const seeds = process.env['WORLD_SEEDS'] ? worldSeeds : worldSeeds.slice(0, 1)

it.each(seeds)(`leaves whole blocks in ${kinds} when it is killed, WORLD_SEED=%s`, async (seed) => {
  const { chain, random, truth, recount, node } = (world = await RandomWorld.start(
    `${seed} killed`,
  ))
  const verify = getWorldVerify(seed)
  const config = { ...chain.config, rpcUrls: [node.url], pollIntervalMs: 20, verify }
  const blocksPerChunk = random.integer(5, 40)
  const bulkTarget = random.pick(targets)
  const s3 = random.chance(50) ? await startS3() : undefined
  const location = s3 ? { folder: 's3://facts/chains', s3: s3.settings } : { folder: 'facts' }
  const facts = { ...location, blocksPerChunk }
  const start = (target: Target) => {
    const { location } = target
    const isBulk = target === bulkTarget
    const configFile = join(folder, isBulk ? 'bulk.config.json' : 'headwater.config.json')
    writeFileSync(configFile, JSON.stringify({ chains: [config], ...(isBulk && { facts }) }))
    const environment = 'databaseUrl' in location ? { DATABASE_URL: location.databaseUrl } : {}
    target.service = startServiceProcess(
      ['start', '--config', configFile, '--port', '0'],
      environment,
    )
    return target.service
  }
  const startAll = () => Promise.all(targets.map((target) => start(target).waitFor('ready')))
  const killAll = () =>
    Promise.all(
      targets.map(async (target) => {
        expect(await target.service?.kill('SIGKILL')).toBe('SIGKILL')
        delete target.service
      }),
    )
  /** Expects that what was committed is the state of the chain at the block of the cursor. */
  const expectWholeBlocks = async ({ location }: Target): Promise<StoredRows | undefined> => {
    const store = await openStore(location)
    try {
      const block = (await loadCursor(store.db, chain.chainId))?.block
      const header =
        block &&
        (await chain.rpc.call<{ hash: string } | null>(
          'eth_getBlockByNumber',
          `0x${block.number.toString(16)}`,
          false,
        ))
      // The state at a block that a reorg removed is no longer available.
      return header?.hash === block?.hash && block
        ? await expectChainTruth(store, truth, recount)
        : undefined
    } finally {
      await store.close()
    }
  }
  const expectAllWhole = async () => {
    for (const target of targets) {
      await expectWholeBlocks(target)
    }
  }

  const afterMs = random.integer(300, 1_500)
  await Promise.all(
    targets.map((target) => Promise.race([start(target).waitFor('progress'), delay(afterMs)])),
  )
  await killAll()
  await expectAllWhole()
  for (let round = 0; round < 2; round++) {
    await startAll()
    const count = random.integer(2, 6)
    for (let step = 0; step < count; step++) {
      await world.apply(await world.drawStep())
    }
    await delay(random.integer(0, 200))
    await killAll()
    // The chain reorganizes while no service runs.
    const depth = random.pick([1, 7, 15])
    await world.apply({ kind: 'reorg', depth, by: depth + 1, empty: random.chance(50) })
    await expectAllWhole()
  }
  const urls = (await startAll()).map(({ url }) => url)
  const head = await world.head()
  for (const url of urls) {
    await expect
      .poll(
        async () => {
          const response = await fetch(`${url}/ready`)
          const { chains } = (await response.json()) as { chains: { indexed_block: number }[] }
          return chains[0]?.indexed_block
        },
        { interval: 50 },
      )
      .toBe(head.number)
  }
  await killAll()
  for (const target of targets) {
    expect((await expectWholeBlocks(target))?.block).toBe(head.number)
  }
  expect(s3?.requests.some((request) => request.startsWith('PUT'))).not.toBe(false)
})
