import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest'
import { loadCursor } from '../../src/indexing/follow/Cursor.ts'
import { openStore } from '../../src/store/openStore.ts'
import type { Store, StoreLocation } from '../../src/store/Store.ts'
import { createTestDatabase } from '../createTestDatabase.ts'
import { startServiceProcess } from '../startServiceProcess.ts'
import { expectChainTruth } from './expectChainTruth.ts'
import { RandomWorld } from './RandomWorld.ts'
import { worldSeeds } from './worldSeeds.ts'

let folder: string
let world: RandomWorld | undefined
let service: ReturnType<typeof startServiceProcess> | undefined
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'headwater-worlds-'))
})
afterEach(async () => {
  await service?.kill('SIGKILL')
  await world?.stop()
  service = world = undefined
  rmSync(folder, { recursive: true, force: true })
})

/** Kills the service again and again, while it reads the past and while the chain goes on, and looks what it left. */
async function killAgainAndAgain(seed: string, where: StoreLocation): Promise<void> {
  world = await RandomWorld.start(seed)
  const { chain, random, truth, recount, node } = world
  const config = { ...chain.config, rpcUrls: [node.url], pollIntervalMs: 20 }
  const configFile = join(folder, 'headwater.config.json')
  writeFileSync(configFile, JSON.stringify({ chains: [config] }))
  const environment = 'databaseUrl' in where ? { DATABASE_URL: where.databaseUrl } : {}
  const start = () =>
    (service = startServiceProcess(['start', '--config', configFile, '--port', '0'], environment))
  const kill = async () => {
    expect(await service?.kill('SIGKILL')).toBe('SIGKILL')
    service = undefined
  }
  /** Whatever was committed is whole: it is what the chain says at its block. */
  const look = async (use: (store: Store) => Promise<void>) => {
    const store = await openStore(where)
    try {
      await use(store)
    } finally {
      await store.close()
    }
  }
  const expectWhole = async (store: Store) => {
    const block = (await loadCursor(store.db, chain.chainId))?.block
    if (!block) {
      return
    }
    const header = await chain.rpc.call<{ hash: string } | null>(
      'eth_getBlockByNumber',
      `0x${block.number.toString(16)}`,
      false,
    )
    // Of a block that is no more, nobody can say what was true.
    if (header?.hash === block.hash) {
      await expectChainTruth(store, truth, recount)
    }
  }

  start()
  await Promise.race([service?.waitFor('progress'), delay(random.integer(300, 1_500))])
  await kill()
  await look(expectWhole)
  for (let round = 0; round < 2; round++) {
    await start().waitFor('ready')
    const after = random.integer(2, 6)
    for (let step = 0; step < after; step++) {
      await world.take(await world.draw())
    }
    await delay(random.integer(0, 200))
    await kill()
    // While nobody looks, another chain wins.
    const most = random.pick([1, 7, 15])
    await world.take({ kind: 'reorg', depth: most, by: most + 1, empty: random.chance(50) })
    await look(expectWhole)
  }
  const { url } = await start().waitFor('ready')
  const head = await world.head()
  const indexed = async () => {
    const ready = await fetch(`${url}/ready`)
    const { chains } = (await ready.json()) as { chains: { indexed_block: number }[] }
    return chains[0]?.indexed_block
  }
  while ((await indexed()) !== head.number) {
    await delay(50)
  }
  await kill()
  await look(async (store) => {
    const rows = await expectChainTruth(store, truth, recount)
    expect(rows.block).toBe(head.number)
  })
}

// Processes are slow to start: one world, unless more are asked for.
const seeds = process.env['WORLD_SEEDS'] ? worldSeeds : worldSeeds.slice(0, 1)

describe.each(seeds)('a service that is killed in WORLD_SEED=%s', (seed) => {
  it('leaves whole blocks in PGlite', async () => {
    await killAgainAndAgain(`${seed} killed`, { folder: join(folder, 'headwater-data') })
  })

  const postgres = inject('postgres')
  it.skipIf('missing' in postgres)('leaves whole blocks in PostgreSQL', async () => {
    const { url, drop } = await createTestDatabase()
    try {
      await killAgainAndAgain(`${seed} killed`, { databaseUrl: url })
    } finally {
      await service?.kill('SIGKILL')
      service = undefined
      await drop()
    }
  })
})
