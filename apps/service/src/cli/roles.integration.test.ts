import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, it, onTestFinished } from 'vitest'
import { API_KEY_HEADER } from '@headwater/contract'
import { createTestDatabase } from '../../test/createTestDatabase.ts'
import { dumpTables } from '../../test/dumpTables.ts'
import type { FakeEvent } from '../../test/FakeChain.ts'
import { FakeChain } from '../../test/FakeChain.ts'
import { indexTestChain } from '../../test/indexTestChain.ts'
import { testAddress } from '../../test/seedChain.ts'
import { startCuttingProxy } from '../../test/startCuttingProxy.ts'
import { startFakeNode } from '../../test/startFakeNode.ts'
import { startServiceProcess } from '../../test/startServiceProcess.ts'
import { testChainConfig } from '../../test/testChainConfig.ts'
import { createKey } from '../keys/createKey.ts'
import { openStore } from '../store/openStore.ts'

const polling = { interval: 100 }

const token = testAddress(0x100)
const wallet = testAddress(0xab)
const transfer = (amount: bigint): FakeEvent => ({
  type: 'transfer',
  token,
  from: testAddress(0),
  to: wallet,
  amount,
})

/** A chain, its node and a database, shared by the processes of a test. */
async function startEnvironment() {
  const chain = new FakeChain()
  for (let block = 1n; block <= 40n; block++) {
    chain.mine([transfer(block)])
  }
  const node = await startFakeNode(chain, 4242)
  const { url, drop } = await createTestDatabase()
  const store = await openStore({ databaseUrl: url })
  const folder = mkdtempSync(join(tmpdir(), 'headwater-roles-'))
  const configFile = join(folder, 'headwater.config.json')
  const config = testChainConfig(4242, {
    rpcUrls: [node.url],
    finalityDepth: 8,
    pollIntervalMs: 50,
  })
  const { id, name, tags, rpcUrls, nativeCurrency, finalityDepth, undoDepth, pollIntervalMs } =
    config
  const chains = [
    {
      id,
      name,
      tags,
      rpcUrls,
      nativeCurrency,
      finalityDepth,
      undoDepth,
      pollIntervalMs,
      history: 'index',
    },
  ]
  writeFileSync(configFile, JSON.stringify({ chains }))
  const processes: ReturnType<typeof startServiceProcess>[] = []
  onTestFinished(async () => {
    for (const process of processes) {
      await process.kill('SIGKILL')
    }
    await node.close()
    await store.close()
    await drop()
    rmSync(folder, { recursive: true, force: true })
  })
  return {
    chain,
    node,
    store,
    url,
    start(role: string, environment: NodeJS.ProcessEnv = { DATABASE_URL: url }) {
      const args = ['start', '--config', configFile, '--port', '0', '--role', role]
      const process = startServiceProcess(args, environment)
      processes.push(process)
      return process
    },
    /** Waits until the head is indexed. */
    reached: () =>
      expect
        .poll(
          async () =>
            await store.db.selectFrom('chains').select('indexed_block').executeTakeFirst(),
          polling,
        )
        .toEqual({ indexed_block: chain.head.number }),
  }
}

it('creates the tables once for processes that start together, and a standby takes over when the indexer is killed', async () => {
  const { chain, node, store, start, reached } = await startEnvironment()
  await sql`drop schema public cascade`.execute(store.db)
  await sql`create schema public`.execute(store.db)
  const indexers = ['all', 'all', 'index'].map((role) => start(role))
  const processes = [...indexers, start('serve')]
  for (const process of processes) {
    await process.waitFor('ready')
  }
  const isStandby = ({ printed }: (typeof processes)[number]) =>
    printed.stderr.includes('standing by')
  // stderr and IPC messages arrive on different channels.
  await expect.poll(() => indexers.filter(isStandby).length).toBe(2)
  await reached()
  chain.mine([transfer(100n)])
  await reached()
  // New blocks arrive and a reorg replaces some while no process indexes.
  chain.mine([transfer(200n)])
  const active = indexers.find((indexer) => !isStandby(indexer))
  await active?.kill('SIGKILL')
  chain.reorg(3, [[transfer(300n)], [], [transfer(400n)], [transfer(500n)]])
  await reached()
  chain.mine([transfer(600n)])
  await reached()
  for (const process of processes) {
    if (process !== active) {
      expect(await process.kill('SIGTERM')).toBe(0)
    }
  }

  const { url, drop } = await createTestDatabase()
  const clean = await openStore({ databaseUrl: url })
  const indexing = indexTestChain(
    clean,
    testChainConfig(4242, { rpcUrls: [node.url], finalityDepth: 8 }),
  )
  await indexing.reaches(chain.head.hash)
  await indexing.stop()
  // Only the service fetches metadata.
  const { tokens } = await dumpTables(store)
  expect(await dumpTables(store)).toEqual({ ...(await dumpTables(clean)), tokens })
  await clean.close()
  await drop()
})

it('serves what another process indexes, also while that one is down, until its chain stops', async () => {
  const { chain, node, store, start, reached } = await startEnvironment()
  const { secret } = await createKey(store.db, { name: 'test' })
  const serving = start('serve')
  const { url } = await serving.waitFor('ready')
  const getBalance = async () => {
    const response = await fetch(`${url}/v1/evm/balances/${wallet}?filters=erc20&chain_ids=4242`, {
      headers: { [API_KEY_HEADER]: secret },
    })
    const { balances } = (await response.json()) as { balances?: { amount: string }[] }
    return {
      status: response.status,
      block: response.headers.get('x-block-numbers'),
      amount: balances?.[0]?.amount,
    }
  }
  expect(await getBalance()).toMatchObject({ status: 503 })
  expect((await fetch(`${url}/ready`)).status).toBe(503)

  const indexing = start('index')
  const { url: indexerUrl } = await indexing.waitFor('ready')
  await reached()
  const sum = (40n * 41n) / 2n
  await expect
    .poll(getBalance, polling)
    .toEqual({ status: 200, block: '4242=40', amount: String(sum) })
  const operation = await fetch(`${indexerUrl}/v1/evm/balances/${wallet}`)
  expect(operation.status).toBe(404)
  const progress = { blocks_per_second: expect.any(Number) as number, seconds_left: 0 }
  const reached40 = { chain_id: 4242, indexed_block: 40, head_block: 40, ...progress }
  const ready = { ready: true, chains: [{ ...reached40, stopped: false }] }
  for (const base of [url, indexerUrl]) {
    await expect
      .poll(async () => await (await fetch(`${base}/ready`)).json(), polling)
      .toMatchObject(ready)
  }

  await indexing.kill('SIGKILL')
  chain.mine([transfer(1n)])
  expect(await getBalance()).toEqual({ status: 200, block: '4242=40', amount: String(sum) })
  const again = start('index')
  await again.waitFor('ready')
  await reached()
  await expect
    .poll(getBalance, polling)
    .toEqual({ status: 200, block: '4242=41', amount: String(sum + 1n) })

  // A reorg below the finality depth.
  node.chain = new FakeChain('other')
  for (let block = 0; block < 50; block++) {
    node.chain.mine([])
  }
  const isStopped = async () => {
    const { chains } = (await (await fetch(`${url}/ready`)).json()) as {
      chains: { stopped: boolean }[]
    }
    return chains[0]?.stopped
  }
  await expect.poll(isStopped, polling).toBe(true)
  const row = await store.db.selectFrom('indexers').selectAll().executeTakeFirst()
  expect(row?.stopped_reason).toMatch(/\w/)

  expect(await again.kill('SIGTERM')).toBe(0)

  node.chain = chain
  const last = start('index')
  await last.waitFor('ready')
  await expect.poll(isStopped, polling).toBe(false)
  expect(await last.kill('SIGTERM')).toBe(0)
  expect(await getBalance()).toMatchObject({ status: 200, block: '4242=41' })
  expect(await serving.kill('SIGTERM')).toBe(0)
})

/** A primary that is away. */
async function startPrimary(databaseUrl: string) {
  const proxy = await startCuttingProxy(databaseUrl)
  proxy.setAway(true)
  onTestFinished(proxy.close)
  return proxy
}

it('starts while only the replica is available, and indexes once the primary is back', async () => {
  const { chain, store, url, start, reached } = await startEnvironment()
  const { secret } = await createKey(store.db, { name: 'test' })
  const getStatus = async (base: string | undefined) => {
    const path = `/v1/evm/balances/${wallet}?filters=erc20&chain_ids=4242`
    const response = await fetch(`${base}${path}`, { headers: { [API_KEY_HEADER]: secret } })
    return [response.status, response.headers.get('x-block-numbers')]
  }
  const earlier = start('all')
  const { url: earlierUrl } = await earlier.waitFor('ready')
  await expect.poll(() => getStatus(earlierUrl), polling).toEqual([200, '4242=40'])
  await earlier.kill('SIGKILL')
  // The database is both. The primary is behind a proxy, and away.
  const primary = await startPrimary(url)
  const starting = start('all', { DATABASE_URL: primary.url, DATABASE_REPLICA_URL: url })
  const getUrl = () => /"url":"([^"]+)"/.exec(starting.printed.stderr)?.[1]
  await expect.poll(getUrl, polling).toBeDefined()
  expect(await getStatus(getUrl())).toEqual([200, '4242=40'])

  const getUnits = async () =>
    (await store.db.selectFrom('keys').select('units_used').executeTakeFirst())?.units_used
  const unitsBefore = Number(await getUnits())
  chain.mine([transfer(1n)])
  primary.setAway(false)
  await starting.waitFor('ready')
  await reached()
  await expect.poll(() => getStatus(getUrl()), polling).toEqual([200, '4242=41'])
  await expect.poll(getUnits, polling).toBeGreaterThan(unitsBefore)
  expect(await starting.kill('SIGTERM')).toBe(0)
})

it('serves a node of --rpc while only the replica is available, without issuing a key', async () => {
  const { url, node } = await startEnvironment()
  const primary = await startPrimary(url)
  const folder = mkdtempSync(join(tmpdir(), 'headwater-roles-'))
  const starting = startServiceProcess(
    ['start', '--rpc', node.url, '--port', '0', '--data', join(folder, 'data')],
    { DATABASE_URL: primary.url, DATABASE_REPLICA_URL: url },
  )
  onTestFinished(async () => {
    await starting.kill('SIGKILL')
    rmSync(folder, { recursive: true })
  })
  const hasPrinted = expect.poll(() => starting.printed.stdout, polling).toContain('curl')
  await Promise.race([hasPrinted, starting.ended])
  expect(starting.printed.stdout).toMatch(
    /^API key: none was issued \(.+\); the next start tries again$/m,
  )
  expect(await starting.kill('SIGTERM')).toBe(0)
})

it('does not start with a replica that lacks tables of this version', async () => {
  const { store, url, start } = await startEnvironment()
  await sql`delete from kysely_migration where name like '0015%'`.execute(store.db)
  const primary = await startPrimary(url)
  const starting = start('serve', { DATABASE_URL: primary.url, DATABASE_REPLICA_URL: url })
  expect(await starting.ended).toBe(1)
  expect(starting.printed.stderr).toContain('does not have the tables of this version yet')
})
