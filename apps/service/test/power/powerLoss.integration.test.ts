import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdtempSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { sendCommandToService } from '../../src/commands/sendCommandToService.ts'
import { IndexingError } from '../../src/indexing/IndexingError.ts'
import { openStore } from '../../src/store/openStore.ts'
import { StoreError } from '../../src/store/StoreError.ts'
import { indexTestChain } from '../indexTestChain.ts'
import { prepareDataFolder } from '../prepareDataFolder.ts'
import { startServiceProcess } from '../startServiceProcess.ts'
import { testChainConfig } from '../testChainConfig.ts'
import { expectChainTruth } from '../worlds/expectChainTruth.ts'
import { RandomWorld } from '../worlds/RandomWorld.ts'
import { worldSeeds } from '../worlds/worldSeeds.ts'
import { Disk, type LossKind } from './Disk.ts'
import { readRecording } from './readRecording.ts'

/** The number of losses of each kind: `POWER_LOSSES=100` finds more. */
const count = Number(process.env['POWER_LOSSES'] ?? 2)
const seed = `${worldSeeds[0]} power`
/** A store that has not caught up by then is stuck. */
const stuckAfterMs = 120_000
/** For two losses and a copy per count on a slow machine. */
vi.setConfig({ testTimeout: 240_000 + count * 30_000 })

let folder: string
let world: RandomWorld
let service: ReturnType<typeof startServiceProcess> | undefined
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'headwater-power-'))
  world = await RandomWorld.start(seed)
})
afterEach(async () => {
  await service?.kill('SIGKILL')
  await world.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** Keys whose creation was confirmed, with the size of the recording at that time. */
interface ConfirmedKey {
  readonly name: string
  readonly at: number
}

it(`continues to the state of the chain after a loss of power, WORLD_SEED=${worldSeeds[0]}`, async () => {
  const { random, chain } = world
  const base = join(folder, 'base')
  const data = join(folder, 'data')
  const recording = join(folder, 'recording')
  prepareDataFolder(data)
  const files = join(data, 'pglite')
  // The least memory and log, so that pages are written and checkpoints are made all the time.
  appendFileSync(
    join(files, 'postgresql.conf'),
    "\nshared_buffers = '512kB'\nmax_wal_size = '32MB'\n",
  )
  cpSync(files, base, { recursive: true })
  const configFile = join(folder, 'headwater.config.json')
  const config = { ...chain.config, rpcUrls: [world.node.url], pollIntervalMs: 20 }
  writeFileSync(configFile, JSON.stringify({ chains: [config] }))
  service = startServiceProcess(['start', '--config', configFile, '--data', data, '--port', '0'], {
    NODE_OPTIONS: `--import=${new URL('./recordWrites.ts', import.meta.url).href}`,
    RECORDED_FOLDER: files,
    RECORDING: recording,
  })

  const copies: string[] = []
  const copy = () => {
    const target = join(folder, `copy${copies.length}`)
    try {
      cpSync(files, join(target, 'pglite'), { recursive: true })
      copies.push(target)
    } catch (error) {
      // The database replaced a temporary file during the copy; the caller copies again.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') {
        throw error
      }
      rmSync(target, { recursive: true, force: true })
    }
  }
  const keys: ConfirmedKey[] = []
  const createKey = async () => {
    const name = `key ${keys.length}`
    if (await sendCommandToService(data, { type: 'keys-create', name })) {
      keys.push({ name, at: statSync(recording).size })
    }
  }
  await expect.poll(() => existsSync(recording)).toBe(true)
  while (copies.length < count / 2) {
    await delay(random.integer(0, 300))
    copy()
  }
  await createKey()
  await service.waitFor('ready')
  while (keys.length < 10 || copies.length < count) {
    await world.apply(await world.drawStep())
    await createKey()
    await delay(random.integer(0, 100))
    if (copies.length < count) {
      copy()
    }
  }
  await service.kill('SIGKILL')
  const head = await world.head()

  /** Opens a folder and indexes up to the head. Returns the reason if that is rejected. */
  const recover = async (
    target: string,
    expected: readonly ConfirmedKey[],
  ): Promise<string | undefined> => {
    try {
      const store = await openStore({ folder: target })
      try {
        const { rpcUrl } = chain
        const indexer = indexTestChain(
          store,
          testChainConfig(chain.chainId, {
            ...chain.config,
            rpcUrls: [rpcUrl],
            pollIntervalMs: 20,
          }),
        )
        const failed = new Promise<never>((_resolve, reject) => {
          store.failed.addEventListener('abort', () => reject(store.failed.reason as Error))
        })
        const stuck = delay(stuckAfterMs, undefined, { ref: false }).then(() => {
          throw new Error('It is stuck')
        })
        try {
          await Promise.race([indexer.reaches(head.hash), failed, stuck])
        } finally {
          await indexer.stop().catch(() => {})
        }
        await expectChainTruth(store, world.truth, world.recount)
        const found = await store.db.selectFrom('keys').select('name').execute()
        expect(found.map(({ name }) => name)).toEqual(
          expect.arrayContaining(expected.map(({ name }) => name)),
        )
        return undefined
      } finally {
        await store.close()
      }
    } catch (error) {
      if (error instanceof StoreError || error instanceof IndexingError) {
        expect(error.message).toContain('restore a copy of')
        return error.message
      }
      throw error
    }
  }

  const changes = [...readRecording(recording)]
  const flushes = changes.filter(({ change }) => change.type === 'flush').length
  expect(flushes).toBeGreaterThan(50)
  const losses = (['lost', 'torn'] as const)
    .flatMap((kind: LossKind) =>
      Array.from({ length: count }, () => ({ kind, at: random.integer(0, changes.length) })),
    )
    .sort((one, other) => one.at - other.at)
  const disk = new Disk(base)
  let replayed = 0
  for (const { kind, at } of losses) {
    for (const { change, bytes } of changes.slice(replayed, at)) {
      disk.apply(change, bytes)
    }
    replayed = at
    const target = join(folder, 'lost')
    disk.write(join(target, 'pglite'), kind, random)
    const confirmed = keys.filter((key) => key.at <= (changes[at - 1]?.end ?? 0))
    // Everything that PostgreSQL relies on was flushed.
    expect(await recover(target, confirmed), `${kind} at change ${at}`).toBeUndefined()
    rmSync(target, { recursive: true })
  }

  // A copy of files that change meanwhile is not what a loss of power leaves. It may be unusable, but not unnoticed.
  const rejected: string[] = []
  for (const target of copies) {
    const reason = await recover(target, [])
    if (reason !== undefined) {
      rejected.push(reason)
    }
    rmSync(target, { recursive: true })
  }
  if (process.env['POWER_LOSSES']) {
    console.log({
      changes: changes.length,
      flushes,
      losses: losses.length,
      copies: copies.length,
      rejected,
    })
  }
})
