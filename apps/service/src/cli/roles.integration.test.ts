import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, it, onTestFinished } from 'vitest'
import { API_KEY_HEADER } from '@headwater/contract'
import { createTestDatabase } from '../../test/createTestDatabase.ts'
import { dumpTables } from '../../test/dumpTables.ts'
import type { HandmadeEvent } from '../../test/HandmadeChain.ts'
import { HandmadeChain } from '../../test/HandmadeChain.ts'
import { indexTestChain } from '../../test/indexTestChain.ts'
import { testAddress } from '../../test/seedChain.ts'
import { startHandmadeNode } from '../../test/startHandmadeNode.ts'
import { startServiceProcess } from '../../test/startServiceProcess.ts'
import { testChainConfig } from '../../test/testChainConfig.ts'
import { createKey } from '../keys/createKey.ts'
import { openStore } from '../store/openStore.ts'

const patience = { interval: 100 }

const token = testAddress(0x100)
const wallet = testAddress(0xab)
const transfer = (amount: bigint): HandmadeEvent => ({
  type: 'transfer',
  token,
  from: testAddress(0),
  to: wallet,
  amount,
})

/** A chain, its node, an empty database, and how to run processes on them. */
async function startGround() {
  const chain = new HandmadeChain()
  for (let block = 1n; block <= 40n; block++) {
    chain.mine([transfer(block)])
  }
  const node = await startHandmadeNode(chain)
  const { url, drop } = await createTestDatabase()
  const store = await openStore({ databaseUrl: url })
  const folder = mkdtempSync(join(tmpdir(), 'headwater-roles-'))
  const configFile = join(folder, 'headwater.config.json')
  const config = testChainConfig(1, { rpcUrls: [node.url], finalityDepth: 8, pollIntervalMs: 50 })
  const { id, name, tags, rpcUrls, nativeCurrency, finalityDepth, pollIntervalMs } = config
  const chains = [{ id, name, tags, rpcUrls, nativeCurrency, finalityDepth, pollIntervalMs }]
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
    start(role: string) {
      const args = ['start', '--config', configFile, '--port', '0', '--role', role]
      const process = startServiceProcess(args, { DATABASE_URL: url })
      processes.push(process)
      return process
    },
    /** Waits until the head is stored. */
    reached: () =>
      expect
        .poll(
          async () =>
            await store.db.selectFrom('chains').select('indexed_block').executeTakeFirst(),
          patience,
        )
        .toEqual({ indexed_block: chain.head.number }),
  }
}

it('lets a second indexer stand by, and take over when the first is killed', async () => {
  const { chain, node, store, start, reached } = await startGround()
  const first = start('index')
  await first.waitFor('ready')
  const second = start('index')
  await second.waitFor('ready')
  // What it logs and what it tells come by different pipes.
  await expect.poll(() => second.printed.stderr).toContain('standing by')
  chain.mine([transfer(100n)])
  await reached()
  // In the middle of work: blocks come, and some are replaced, while nobody indexes.
  chain.mine([transfer(200n)])
  await first.kill('SIGKILL')
  chain.reorg(3, [[transfer(300n)], [], [transfer(400n)], [transfer(500n)]])
  await reached()
  chain.mine([transfer(600n)])
  await reached()
  expect(await second.kill('SIGTERM')).toBe(0)

  const { url, drop } = await createTestDatabase()
  const clean = await openStore({ databaseUrl: url })
  const indexing = indexTestChain(
    clean,
    testChainConfig(1, { rpcUrls: [node.url], finalityDepth: 8 }),
  )
  await indexing.reaches(chain.head.hash)
  await indexing.stop()
  // Only the service reads metadata.
  const { tokens } = await dumpTables(store)
  expect(await dumpTables(store)).toEqual({ ...(await dumpTables(clean)), tokens })
  await clean.close()
  await drop()
})

it('answers from one process what another indexes, also while that one is away', async () => {
  const { chain, store, start, reached } = await startGround()
  const { secret } = await createKey(store.db, { name: 'test' })
  const serving = start('serve')
  const { url } = await serving.waitFor('ready')
  const ask = async () => {
    const response = await fetch(`${url}/v1/evm/balances/${wallet}?filters=erc20&chain_ids=1`, {
      headers: { [API_KEY_HEADER]: secret },
    })
    const { balances } = (await response.json()) as { balances?: { amount: string }[] }
    return {
      status: response.status,
      block: response.headers.get('x-block-numbers'),
      amount: balances?.[0]?.amount,
    }
  }
  expect(await ask()).toMatchObject({ status: 503 })
  expect((await fetch(`${url}/ready`)).status).toBe(503)

  const indexing = start('index')
  const { url: indexerUrl } = await indexing.waitFor('ready')
  await reached()
  const sum = (40n * 41n) / 2n
  await expect.poll(ask, patience).toEqual({ status: 200, block: '1=40', amount: String(sum) })
  const operation = await fetch(`${indexerUrl}/v1/evm/balances/${wallet}`)
  expect(operation.status).toBe(404)
  const progress = { blocks_per_second: expect.any(Number) as number, seconds_left: 0 }
  const reached40 = { chain_id: 1, indexed_block: 40, head_block: 40, ...progress }
  const ready = { ready: true, chains: [reached40] }
  for (const base of [url, indexerUrl]) {
    await expect
      .poll(async () => await (await fetch(`${base}/ready`)).json(), patience)
      .toMatchObject(ready)
  }

  await indexing.kill('SIGKILL')
  chain.mine([transfer(1n)])
  expect(await ask()).toEqual({ status: 200, block: '1=40', amount: String(sum) })
  const again = start('index')
  await again.waitFor('ready')
  await reached()
  await expect.poll(ask, patience).toEqual({ status: 200, block: '1=41', amount: String(sum + 1n) })
  expect(await again.kill('SIGTERM')).toBe(0)
  expect(await ask()).toMatchObject({ status: 200, block: '1=41' })
  expect(await serving.kill('SIGTERM')).toBe(0)
})

it('tells who serves a chain that its indexing ended, until it goes on', async () => {
  const { chain, node, start, store, reached } = await startGround()
  const serving = start('serve')
  const { url } = await serving.waitFor('ready')
  const first = start('index')
  await first.waitFor('ready')
  await reached()
  const readiness = async () => {
    const { chains } = (await (await fetch(`${url}/ready`)).json()) as {
      chains: { stopped: boolean }[]
    }
    return chains[0]?.stopped
  }
  expect(await readiness()).toBe(false)
  // Another chain under the same id.
  node.chain = new HandmadeChain('other')
  for (let block = 0; block < 50; block++) {
    node.chain.mine([])
  }
  expect(await first.ended).toBe(1)
  await expect.poll(readiness, patience).toBe(true)
  const row = await store.db.selectFrom('indexers').selectAll().executeTakeFirst()
  expect(row?.stopped_reason).toMatch(/\w/)

  node.chain = chain
  await start('index').waitFor('ready')
  await expect.poll(readiness, patience).toBe(false)
})

it('makes the tables once, however many processes start at once', async () => {
  const { start, store, reached } = await startGround()
  await sql`drop schema public cascade`.execute(store.db)
  await sql`create schema public`.execute(store.db)
  const processes = ['all', 'all', 'serve', 'index'].map(start)
  for (const process of processes) {
    await process.waitFor('ready')
  }
  await reached()
  for (const process of processes) {
    expect(await process.kill('SIGTERM')).toBe(0)
  }
})
