import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, it, vi } from 'vitest'
import { type DevnetChain, devnetOne, devnetTwo, startChain } from '@headwater/devnet'
import manifest from '../package.json' with { type: 'json' }
import { createTestDatabase } from '../test/createTestDatabase.ts'
import { expectChainBalances } from '../test/expectChainBalances.ts'
import { FakeChain } from '../test/FakeChain.ts'
import { prepareDataFolder } from '../test/prepareDataFolder.ts'
import { startFakeNode } from '../test/startFakeNode.ts'
import { startServiceProcess } from '../test/startServiceProcess.ts'
import { loadCursor } from './indexing/follow/Cursor.ts'
import { createKey } from './keys/createKey.ts'
import { openStore } from './store/openStore.ts'
import type { Store } from './store/Store.ts'

let one: DevnetChain
let two: DevnetChain
let folder: string
let configFile: string
const processes: ReturnType<typeof startServiceProcess>[] = []

beforeAll(async () => {
  const chains = [devnetOne, devnetTwo].map((scenario) =>
    startChain({ scenario, days: 1, live: false }),
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

function run(args: readonly string[], environment: NodeJS.ProcessEnv = {}, isSupervised?: boolean) {
  const service = startServiceProcess([...args, '--config', configFile], environment, isSupervised)
  processes.push(service)
  return service
}

function start(args: readonly string[] = [], environment: NodeJS.ProcessEnv = {}) {
  return run(['start', '--port', '0', ...args], environment)
}

async function keys(...args: string[]) {
  const command = run(['keys', ...args])
  const code = await command.ended
  return { code, ...command.printed }
}

async function withStore<Result>(use: (store: Store) => Promise<Result>): Promise<Result> {
  const store = await openStore({ folder: join(folder, 'headwater-data') })
  try {
    return await use(store)
  } finally {
    await store.close()
  }
}

const readiness = async (url: string) => {
  const response = await fetch(`${url}/ready`)
  const body = (await response.json()) as {
    ready: boolean
    chains: { chain_id: number; indexed_block: number }[]
  }
  return { status: response.status, ...body }
}

it('continues on the embedded database after SIGKILL, locks it, and manages its keys', async () => {
  let killedHalfway = 0
  for (const kill of ['listening', 'indexing'] as const) {
    // The first kill is at the beginning, as a node does not respond, and the second anywhere after it.
    if (kill === 'listening') {
      process.kill(one.processId, 'SIGSTOP')
    }
    const service = start()
    if (kill === 'listening') {
      await vi.waitFor(() => expect(service.printed.stderr).toContain('listening'), {
        timeout: 240_000,
      })
    } else {
      await Promise.race([service.waitFor('progress'), service.waitFor('ready')])
    }
    expect(await service.kill('SIGKILL')).toBe('SIGKILL')
    process.kill(one.processId, 'SIGCONT')
    await withStore(async ({ db }) => {
      for (const { chainId, rpc } of [one, two]) {
        const cursor = await loadCursor(db, chainId)
        if ((cursor?.block?.number ?? -1) < Number(await rpc.call('eth_blockNumber'))) {
          killedHalfway++
        }
      }
    })
  }
  expect(killedHalfway).toBeGreaterThan(0)

  const service = start()
  const { url } = await service.waitFor('ready')
  expect(await readiness(url)).toMatchObject({ status: 200, ready: true })

  const second = start()
  expect(await second.ended).toBe(1)
  expect(second.printed.stderr).toContain(`in use by process ${service.pid}; stop it or choose`)

  // The running service executes the commands.
  const created = await keys('create', '--name', 'app')
  expect(created).toMatchObject({ code: 0, stderr: '' })
  expect(created.stdout).toMatch(/^hw_[\w-]{43}\n$/)
  const listed = await keys('list')
  expect(listed.stdout).toMatch(/^ID .*\n1 +hw_[\w-]{7}… +data +valid +0 .* app\n$/)
  expect(listed.stdout).not.toContain(created.stdout.trim())
  expect(await keys('revoke', '1')).toMatchObject({ code: 0 })

  expect(await service.kill('SIGTERM')).toBe(0)
  // Without a running service the command opens the database itself.
  expect(await keys('revoke', '1')).toMatchObject({
    code: 1,
    stderr: 'headwater: There is no valid key 1; headwater keys list shows them\n',
  })
  await withStore(async (store) => {
    expect(await expectChainBalances(store, one)).toBeGreaterThan(50)
    expect(await expectChainBalances(store, two)).toBeGreaterThan(50)
    const pending = await store.db
      .selectFrom('tokens')
      .select('address')
      .where('metadata', '=', 'pending')
      .execute()
    expect(pending).toEqual([])
    const keyRows = await store.db.selectFrom('keys').select('revoked_at').execute()
    expect(keyRows).toEqual([{ revoked_at: expect.anything() as unknown }])
  })
})

it.skipIf('missing' in inject('postgres'))(
  'uses PostgreSQL from DATABASE_URL, and keeps serving the other chains when one stops',
  async () => {
    const small = new FakeChain()
    small.mine([])
    const node = await startFakeNode(small, 4242)
    const nativeCurrency = { name: 'Ether', symbol: 'ETH', decimals: 18 }
    const smallConfig = { id: 4242, name: 'one', rpcUrls: [node.url], nativeCurrency }
    configure([one.config, two.config, { ...smallConfig, pollIntervalMs: 50, finalityDepth: 1 }])
    const { url: DATABASE_URL, drop } = await createTestDatabase()
    const service = start([], { DATABASE_URL })
    const { url } = await service.waitFor('ready')
    expect(await readiness(url)).toMatchObject({ status: 200, ready: true })

    const { port } = new URL(url)
    const other = start(['--port', port], { DATABASE_URL })
    expect(await other.ended).toBe(1)
    expect(other.printed.stderr).toMatch(
      new RegExp(`^headwater: Port ${port} of 127.0.0.1 is in use.*$`, 'm'),
    )

    node.chain = new FakeChain('other')
    await vi.waitFor(
      () => expect(service.printed.stderr).toContain('indexing of the chain stopped'),
      { timeout: 240_000, interval: 20 },
    )
    await two.mineTraffic()
    const head = Number(await two.rpc.call('eth_blockNumber'))
    await expect
      .poll(async () => {
        const { chains } = await readiness(url)
        return chains.find(({ chain_id }) => chain_id === two.chainId)?.indexed_block
      })
      .toBe(head)
    expect(await readiness(url)).toMatchObject({
      status: 200,
      ready: true,
      chains: [
        { chain_id: one.chainId, synced: true, stopped: false },
        { chain_id: two.chainId, synced: true, stopped: false },
        { chain_id: 4242, synced: true, stopped: true },
      ],
    })
    expect((await fetch(`${url}/ready?chain_ids=4242`)).status).toBe(503)
    expect(await service.kill('SIGINT')).toBe(0)
    const store = await openStore({ databaseUrl: DATABASE_URL })
    expect(await expectChainBalances(store, one)).toBeGreaterThan(50)
    await store.close()

    configure([smallConfig])
    const replaced = start([], { DATABASE_URL })
    expect(await replaced.ended).toBe(1)
    expect(replaced.printed.stderr).toMatch(
      /^headwater: Chain 4242 \(one\) was replaced by another/m,
    )

    node.chain = small
    const supervised = start([], { DATABASE_URL })
    await supervised.waitFor('ready')
    supervised.disconnect()
    expect(await supervised.ended).toBe(0)

    await node.close()
    await drop()
    expect(readdirSync(folder)).toEqual(['headwater.config.json'])
  },
)

it('reports that its only chain stopped at a reorg below finality, also after a restart', async () => {
  const chain = new FakeChain()
  for (let block = 0; block < 5; block++) {
    chain.mine([])
  }
  const node = await startFakeNode(chain, 4242)
  const nativeCurrency = { name: 'Ether', symbol: 'ETH', decimals: 18 }
  configure([
    {
      id: 4242,
      name: 'one',
      rpcUrls: [node.url],
      nativeCurrency,
      pollIntervalMs: 50,
      finalityDepth: 1,
    },
  ])
  prepareDataFolder(join(folder, 'headwater-data'))
  const service = start()
  // While the service opens the database, a command waits for it.
  await vi.waitFor(
    () => expect(existsSync(join(folder, 'headwater-data', 'lock.pid'))).toBe(true),
    { timeout: 60_000, interval: 5 },
  )
  process.kill(service.pid!, 'SIGSTOP')
  const create = run(['keys', 'create', '--name', 'app'])
  await vi.waitFor(() => expect(create.printed.stderr).toContain('Waiting'), { timeout: 60_000 })
  process.kill(service.pid!, 'SIGCONT')
  expect(await create.ended).toBe(0)
  const { url } = await service.waitFor('ready')
  const headers = { 'X-Service-Api-Key': create.printed.stdout.trim() }
  const expectStopped = async (url: string) => {
    await expect
      .poll(() => readiness(url))
      .toMatchObject({ status: 503, ready: false, chains: [{ chain_id: 4242, stopped: true }] })
    const metrics = await (await fetch(`${url}/metrics`)).text()
    expect(metrics).toContain('headwater_chain_stopped{chain="4242"} 1')
    const response = await fetch(`${url}/v1/evm/token-info/native?chain_ids=4242`, { headers })
    expect(response.status).toBe(503)
    expect(await response.json()).toMatchObject({ code: 'CHAIN_STOPPED' })
  }
  chain.reorg(4, [[], [], [], [], []])
  await expectStopped(url)
  expect(await service.kill('SIGTERM')).toBe(0)

  const restarted = run(['start', '--port', '0'], {}, false)
  const findUrl = () => /"url":"([^"]+)"/.exec(restarted.printed.stderr)?.[1] ?? ''
  await expect.poll(findUrl).not.toBe('')
  await expectStopped(findUrl())
  expect(await restarted.kill('SIGTERM')).toBe(0)
  await node.close()
})

it('states that a command of keys creates a data folder', async () => {
  const { stderr } = await keys('create', '--name', 'app')
  expect(stderr).toMatch(/^Creating the data folder .*headwater-data: .* name it with --data\n$/)
  expect(await keys('list')).toMatchObject({ code: 0, stderr: '' })
})

it('runs commands without a configuration file on an existing data folder', async () => {
  const data = join(folder, 'headwater-data')
  prepareDataFolder(data)
  await withStore(({ db }) => createKey(db, { name: 'app' }))
  const run = async (...args: string[]) => {
    const command = startServiceProcess([...args, '--data', data])
    const code = await command.ended
    return { code, ...command.printed }
  }
  const stderr = `Using the data folder ${data}, as there is no headwater.config.json\n`
  const stdout = expect.stringContaining('app') as string
  expect(await run('keys', 'list')).toMatchObject({ code: 0, stderr, stdout })
  expect(await run('chain', 'status')).toMatchObject({
    code: 0,
    stdout: 'The store has no chains\n',
  })
  expect(await run('doctor')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('headwater init --rpc <url>') as string,
  })
})

it('prints its version, and requires a version of Node', async () => {
  const versioned = startServiceProcess(['--version'])
  expect(await versioned.ended).toBe(0)
  expect(versioned.printed.stdout).toBe(`${manifest.version}\n`)
  const older = encodeURIComponent(
    'Object.defineProperty(process, "versions", { value: { ...process.versions, node: "22.9.0" } })',
  )
  const rejected = startServiceProcess(['--version'], {
    NODE_OPTIONS: `--import=data:text/javascript,${older}`,
  })
  expect(await rejected.ended).toBe(1)
  expect(rejected.printed.stderr).toMatch(
    /^headwater: Node 22\.19 or newer is required, .* 22\.9\.0/,
  )
})

it('reports an invalid configuration file', async () => {
  configure([])
  expect(await keys('list')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^headwater: .*chains is empty: add at least one/) as string,
  })
})
