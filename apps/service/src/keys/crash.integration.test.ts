import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, expect, it, onTestFinished } from 'vitest'
import { API_KEY_HEADER } from '@headwater/contract'
import { createTestDatabase } from '../../test/createTestDatabase.ts'
import { HandmadeChain } from '../../test/HandmadeChain.ts'
import { prepareDataFolder } from '../../test/prepareDataFolder.ts'
import { startHandmadeNode } from '../../test/startHandmadeNode.ts'
import { startServiceProcess } from '../../test/startServiceProcess.ts'
import { testChainConfig } from '../../test/testChainConfig.ts'
import { openStore } from '../store/openStore.ts'
import type { StoreLocation } from '../store/Store.ts'
import { listKeys } from './listKeys.ts'

const path = `/v1/evm/balances/0x${'ab'.repeat(20)}?filters=erc20`
/** What may be lost by `kill -9` is a second's; more here, where the machine may take longer to write it. */
const LOST_MS = 3000
const CLIENTS = 4

const processes: ReturnType<typeof startServiceProcess>[] = []
afterEach(async () => {
  for (const process of processes.splice(0)) {
    await process.kill('SIGKILL')
  }
})

it.each(['PGlite', 'PostgreSQL'])(
  'loses at most a second of used units when killed, and counts none twice (%s)',
  async (kind) => {
    const folder = mkdtempSync(join(tmpdir(), 'headwater-units-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const node = await startHandmadeNode(new HandmadeChain(), 7)
    onTestFinished(() => node.close())
    const dataFolder = join(folder, 'headwater-data')
    let location: StoreLocation = { folder: dataFolder }
    const environment: NodeJS.ProcessEnv = {}
    if (kind === 'PostgreSQL') {
      const { url, drop } = await createTestDatabase()
      onTestFinished(drop)
      location = { databaseUrl: url }
      environment['DATABASE_URL'] = url
    } else {
      prepareDataFolder(dataFolder)
    }
    const config = join(folder, 'headwater.config.json')
    writeFileSync(config, JSON.stringify({ chains: [testChainConfig(7, { rpcUrls: [node.url] })] }))
    const run = (...args: string[]) => {
      const process = startServiceProcess([...args, '--config', config], environment)
      processes.push(process)
      return process
    }
    const start = async () => {
      const service = run('start', '--port', '0')
      return { ...service, ...(await service.waitFor('ready')) }
    }
    const usedUnits = async () => {
      const store = await openStore(location)
      const [key] = await listKeys(store.db)
      await store.close()
      return key?.unitsUsed ?? 0
    }

    const service = await start()
    // Keys are managed while it runs.
    const command = run(
      'keys',
      'create',
      '--name',
      'app',
      '--units',
      '1000000',
      '--rate',
      '100000/s',
    )
    expect({ code: await command.ended, ...command.printed }).toMatchObject({ code: 0, stderr: '' })
    const headers = { [API_KEY_HEADER]: command.printed.stdout.trim() }

    const answeredAt: number[] = []
    let isOver = false
    const clients = Array.from({ length: CLIENTS }, async () => {
      while (!isOver) {
        const response = await fetch(service.url + path, { headers }).catch(() => undefined)
        if (!response) {
          break
        }
        expect(response.status).toBe(200)
        answeredAt.push(performance.now())
        await delay(5)
      }
    })
    const begin = performance.now()
    while (performance.now() - begin < 5000 || answeredAt.length < 100) {
      await delay(10)
    }
    const killedAt = performance.now()
    await service.kill('SIGKILL')
    isOver = true
    await Promise.all(clients)

    const used = await usedUnits()
    const durable = answeredAt.filter((at) => at < killedAt - LOST_MS).length
    expect(durable).toBeGreaterThan(0)
    expect(used).toBeGreaterThanOrEqual(durable)
    // Some were charged of which the answer never arrived.
    expect(used).toBeLessThanOrEqual(answeredAt.length + CLIENTS)

    const again = await start()
    for (let asked = 1; asked <= 5; asked++) {
      const response = await fetch(again.url + path, { headers })
      expect(response.headers.get('x-compute-units-remaining')).toBe(
        String(1_000_000 - used - asked),
      )
    }
    expect(await again.kill('SIGTERM')).toBe(0)
    expect(await usedUnits()).toBe(used + 5)
  },
)
