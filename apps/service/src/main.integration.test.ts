import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
  onTestFinished,
  vi,
} from 'vitest'
import { type DevnetChain, devnetOne, devnetTwo, startChain } from '@headwater/devnet'
import { createTestDatabase } from '../test/createTestDatabase.ts'
import { expectChainBalances } from '../test/expectChainBalances.ts'
import { HandmadeChain } from '../test/HandmadeChain.ts'
import { prepareDataFolder } from '../test/prepareDataFolder.ts'
import { startHandmadeNode } from '../test/startHandmadeNode.ts'
import { startServiceProcess } from '../test/startServiceProcess.ts'
import { loadCursor } from './indexing/follow/Cursor.ts'
import { openStore } from './store/openStore.ts'
import type { Store } from './store/Store.ts'

let one: DevnetChain
let two: DevnetChain
let folder: string
let configFile: string
const processes: ReturnType<typeof startServiceProcess>[] = []

beforeAll(async () => {
  const chains = [devnetOne, devnetTwo].map((scenario) =>
    startChain({ scenario, days: 2, live: false }),
  )
  ;[one, two] = (await Promise.all(chains)) as [DevnetChain, DevnetChain]
})
afterAll(async () => {
  await one.stop()
  await two.stop()
})

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'headwater-service-'))
  configFile = join(folder, 'headwater.config.json')
  configure([one.config, two.config])
})
afterEach(async () => {
  for (const service of processes.splice(0)) {
    await service.kill('SIGKILL')
  }
  rmSync(folder, { recursive: true, force: true })
})

function configure(chains: readonly object[]): void {
  writeFileSync(configFile, JSON.stringify({ chains }))
}

/** For tests that are not about what is indexed. */
async function configureSmallChain() {
  const chain = new HandmadeChain()
  chain.mine([])
  const node = await startHandmadeNode(chain)
  onTestFinished(() => node.close())
  const nativeCurrency = { name: 'Ether', symbol: 'ETH', decimals: 18 }
  configure([{ id: 1, name: 'one', rpcUrls: [node.url], nativeCurrency, pollIntervalMs: 50 }])
  return node
}

function start(args: readonly string[] = [], environment: NodeJS.ProcessEnv = {}) {
  const all = ['start', '--config', configFile, '--port', '0', ...args]
  const service = startServiceProcess(all, environment)
  processes.push(service)
  return service
}

async function withStore<Result>(use: (store: Store) => Promise<Result>): Promise<Result> {
  const store = await openStore({ folder: join(folder, 'headwater-data') })
  try {
    return await use(store)
  } finally {
    await store.close()
  }
}

/** Spares a test that is about something else the making of an embedded database. */
function prepareStore(): void {
  prepareDataFolder(join(folder, 'headwater-data'))
}

describe('headwater start', () => {
  it('has the amounts of the chain, killed in the middle of indexing as often as one likes', async () => {
    let killedHalfway = 0
    for (let round = 0; round < 2; round++) {
      const service = start()
      // It listens before it indexes: the first time it is killed as soon as it has begun. The second time anywhere.
      if (round === 0) {
        await vi.waitFor(() => expect(service.printed.stderr).toContain('listening'), {
          timeout: 240_000,
          interval: 5,
        })
      } else {
        await Promise.race([service.waitFor('progress'), service.waitFor('ready')])
      }
      expect(await service.kill('SIGKILL')).toBe('SIGKILL')
      await withStore(async ({ db }) => {
        for (const { chainId, rpc } of [one, two]) {
          const cursor = await loadCursor(db, chainId)
          const head = Number(await rpc.call('eth_blockNumber'))
          const block = cursor?.block?.number ?? -1
          if (block < head) {
            killedHalfway++
          }
        }
      })
    }
    expect(killedHalfway).toBeGreaterThan(0)
    const service = start()
    const { url } = await service.waitFor('ready')
    expect(await (await fetch(`${url}/ready`)).json()).toMatchObject({ ready: true })
    expect(await service.kill('SIGTERM')).toBe(0)
    await withStore(async (store) => {
      expect(await expectChainBalances(store, one)).toBeGreaterThan(50)
      expect(await expectChainBalances(store, two)).toBeGreaterThan(50)
      const pending = await store.db
        .selectFrom('tokens')
        .select('address')
        .where('metadata', '=', 'pending')
        .execute()
      expect(pending).toEqual([])
    })
  })

  it('keeps all in PostgreSQL when DATABASE_URL names one, and leaves the data folder alone', async () => {
    const { url: databaseUrl, drop } = await createTestDatabase()
    const service = start([], { DATABASE_URL: databaseUrl })
    const { url } = await service.waitFor('ready')
    expect(await (await fetch(`${url}/ready`)).json()).toMatchObject({ ready: true })
    expect(await service.kill('SIGTERM')).toBe(0)
    const store = await openStore({ databaseUrl })
    expect(await expectChainBalances(store, one)).toBeGreaterThan(50)
    await store.close()
    await drop()
    expect(readdirSync(folder)).toEqual(['headwater.config.json'])
  })

  it('ends in order when told to, or its supervisor is gone, and says why it does not start', async () => {
    prepareStore()
    const node = await configureSmallChain()
    const first = start()
    await first.waitFor('ready')
    const second = start()
    expect(await second.ended).toBe(1)
    expect(second.printed.stderr).toContain(`in use by process ${first.pid}; stop it or choose`)
    expect(await first.kill('SIGINT')).toBe(0)

    const supervised = start()
    await supervised.waitFor('ready')
    supervised.disconnect()
    expect(await supervised.ended).toBe(0)

    node.chain = new HandmadeChain('other')
    const again = start()
    expect(await again.ended).toBe(1)
    expect(again.printed.stderr).toMatch(
      /^headwater: Chain 1 \(one\) was replaced by another.*--data$/m,
    )
  })

  it('says in a sentence that the port is taken', async () => {
    prepareStore()
    await configureSmallChain()
    const server = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const { port } = server.address() as { port: number }
    const service = start(['--port', String(port)])
    expect(await service.ended).toBe(1)
    expect(service.printed.stderr).toMatch(
      new RegExp(`^headwater: Port ${port} of 127.0.0.1 is taken.*\n$`),
    )
    server.close()
  })

  it('goes on with the other chains when one cannot go on', async () => {
    const other = await startHandmadeNode(new HandmadeChain(), one.chainId)
    other.chain.mine([])
    prepareStore()
    configure([{ ...one.config, rpcUrls: [other.url], finalityDepth: 1 }, two.config])
    const service = start()
    const { url } = await service.waitFor('ready')
    other.chain = new HandmadeChain('other')
    while (!service.printed.stderr.includes('indexing of the chain stopped')) {
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    await two.live()
    const head = Number(await two.rpc.call('eth_blockNumber'))
    const indexed = async () => {
      const { chains } = (await (await fetch(`${url}/ready`)).json()) as {
        chains: { chain_id: number; indexed_block: number }[]
      }
      return chains.find(({ chain_id }) => chain_id === two.chainId)?.indexed_block
    }
    while ((await indexed()) !== head) {
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    const ready = await fetch(`${url}/ready`)
    expect(ready.status).toBe(503)
    expect(await ready.json()).toMatchObject({
      ready: false,
      chains: [
        { chain_id: one.chainId, synced: true, stopped: true },
        { chain_id: two.chainId, synced: true, stopped: false },
      ],
    })
    await other.close()
  })
})

describe('headwater keys', () => {
  const run = async (...args: string[]) => {
    const service = startServiceProcess(['keys', ...args, '--config', configFile])
    processes.push(service)
    const code = await service.ended
    return { code, ...service.printed }
  }

  it('issues a key that the API takes, lists it without its secret, and revokes it', async () => {
    prepareStore()
    const created = await run('create', '--name', 'app')
    expect(created).toMatchObject({ code: 0, stderr: '' })
    expect(created.stdout).toMatch(/^hw_[\w-]{43}\n$/)
    const listed = await run('list')
    expect(listed.stdout).toMatch(/^ID .*\n1 +hw_[\w-]{7}… +data +valid +0 .* app\n$/)
    expect(listed.stdout).not.toContain(created.stdout.trim())
    expect(await run('revoke', '1')).toMatchObject({ code: 0 })
    expect((await run('list')).stdout).toMatch(/ revoked \d{4}-/)
    expect(await run('revoke', '1')).toMatchObject({
      code: 1,
      stderr: 'headwater: There is no valid key 1; headwater keys list shows them\n',
    })
  })

  it('names what it was told wrong', async () => {
    configure([])
    expect((await run('list')).stderr).toMatch(/^headwater: .*chains must NOT have fewer than 1/)
  })
})
