import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it, onTestFinished } from 'vitest'
import { API_KEY_HEADER } from '@headwater/contract'
import { createTestDatabase } from '../../test/createTestDatabase.ts'
import { FakeChain } from '../../test/FakeChain.ts'
import { prepareDataFolder } from '../../test/prepareDataFolder.ts'
import { startFakeNode } from '../../test/startFakeNode.ts'
import { startServiceProcess } from '../../test/startServiceProcess.ts'
import { testChainConfig } from '../../test/testChainConfig.ts'
import { openStore } from '../store/openStore.ts'
import type { StoreLocation } from '../store/Store.ts'
import { loadAllKeys } from './loadAllKeys.ts'

const path = `/v1/evm/balances/0x${'ab'.repeat(20)}?filters=erc20`
const clientCount = 4

const processes: ReturnType<typeof startServiceProcess>[] = []
afterEach(async () => {
  for (const process of processes.splice(0)) {
    await process.kill('SIGKILL')
  }
})

it.each(['PGlite', 'PostgreSQL'])(
  'a killed service keeps the units that it has written, and counts none twice (%s)',
  async (kind) => {
    const folder = mkdtempSync(join(tmpdir(), 'headwater-units-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const node = await startFakeNode(new FakeChain(), 7)
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
      const [key] = await loadAllKeys(store.db)
      await store.close()
      return key?.unitsUsed ?? 0
    }
    /** Those that the running service has written. */
    const listUsedUnits = async () => {
      const { ended, printed } = run('keys', 'list')
      await ended
      return Number(/ valid +(\d+) /.exec(printed.stdout)?.[1])
    }

    const service = await start()
    // The command runs in the service, which has the store open.
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

    let responses = 0
    let isKilled = false
    const clients = Array.from({ length: clientCount }, async () => {
      while (!isKilled) {
        const response = await fetch(service.url + path, { headers }).catch(() => undefined)
        if (!response) {
          break
        }
        expect(response.status).toBe(200)
        responses++
      }
    })
    await expect.poll(() => responses).toBeGreaterThan(100)
    const durable = responses
    await expect.poll(listUsedUnits).toBeGreaterThanOrEqual(durable)
    await service.kill('SIGKILL')
    isKilled = true
    await Promise.all(clients)

    const used = await usedUnits()
    expect(used).toBeGreaterThanOrEqual(durable)
    // Some responses were charged but not received.
    expect(used).toBeLessThanOrEqual(responses + clientCount)

    const again = await start()
    for (let sent = 1; sent <= 5; sent++) {
      const response = await fetch(again.url + path, { headers })
      expect(response.headers.get('x-compute-units-remaining')).toBe(
        String(1_000_000 - used - sent),
      )
    }
    expect(await again.kill('SIGTERM')).toBe(0)
    expect(await usedUnits()).toBe(used + 5)
  },
)
