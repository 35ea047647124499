import { pino } from 'pino'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { createTestDatabase } from '../../test/createTestDatabase.ts'
import { listPrepared } from '../../test/listPrepared.ts'
import { seedChain, testAddress } from '../../test/seedChain.ts'
import { startCuttingProxy } from '../../test/startCuttingProxy.ts'
import { startTestService } from '../../test/startTestService.ts'
import { testChainConfig, testTokens } from '../../test/testChainConfig.ts'
import { createPostgresPool } from './createPostgresPool.ts'
import { FallbackPool } from './FallbackPool.ts'
import { openStore } from './openStore.ts'
import type { Store } from './Store.ts'

type TestDatabase = Awaited<ReturnType<typeof createTestDatabase>>

const holder = testAddress(0xab)
const path = `/v1/evm/balances/${holder}?filters=erc20`

// Two independent databases, because a test cannot control the lag of a real replica: block 6 has not reached this one.
let primary: TestDatabase
let replica: TestDatabase
let store: Store
let warnings: string[]

beforeAll(async () => {
  const createSeeded = async (number: number) => {
    const database = await createTestDatabase()
    const { db, close } = await openStore({ databaseUrl: database.url })
    await seedChain(db, {
      chainId: 7,
      blocks: { [number]: 1_700_000_000 + number },
      tokens: [{ address: testTokens.usd, decimals: 6 }],
      balances: [{ holder, token: testTokens.usd, amount: BigInt(number) }],
    })
    await close()
    return database
  }
  primary = await createSeeded(6)
  replica = await createSeeded(5)
  ;({ store, warnings } = await openWithReplica(replica.url))
})
afterAll(async () => {
  await store.close()
  await primary.drop()
  // A test drops it as well.
  await replica.drop().catch(() => {})
})

async function openWithReplica(replicaUrl: string) {
  const warnings: string[] = []
  const logger = pino({ level: 'warn' }, { write: (line) => warnings.push(line) })
  const store = await openStore({ databaseUrl: primary.url, replicaUrl }, logger)
  return { store, warnings }
}

const readIndexedBlocks = (db: Store['db']) =>
  db.selectFrom('chains').select('indexed_block').execute()

it('writes to the primary, and reads from the replica', async () => {
  expect(await readIndexedBlocks(store.db)).toEqual([{ indexed_block: 6 }])
  expect(await readIndexedBlocks(store.reader)).toEqual([{ indexed_block: 5 }])
})

it('reports the progress of the indexer from the primary, and the served block from the replica', async () => {
  await store.db.insertInto('indexers').values({ chain_id: 7, head_block: 9 }).execute()
  const { url } = await startTestService(store, [testChainConfig(7)])
  const { chains } = (await (await fetch(`${url}/ready`)).json()) as { chains: object[] }
  expect(chains).toMatchObject([
    { indexed_block: 6, head_block: 9, lag_blocks: 3, served_block: 5, synced: true },
  ])
})

it('prepares statements that take long to plan once per connection', async () => {
  expect(await listPrepared(store.reader)).toEqual(['probe'])
})

it('reads from the primary while the replica does not respond, and settles pending reads', async () => {
  const proxy = await startCuttingProxy(replica.url)
  onTestFinished(proxy.close)
  const { store, warnings } = await openWithReplica(proxy.url)
  onTestFinished(store.close)
  const read = () => readIndexedBlocks(store.reader)
  expect(await read()).toEqual([{ indexed_block: 5 }])
  proxy.setSilent(true)
  await expect(read()).rejects.toThrow('Connection terminated')
  await expect.poll(read).toEqual([{ indexed_block: 6 }])
  expect(warnings.join()).toContain('the replica is unreachable or behind')
})

it('reports in the metrics whether operations read from the replica', async () => {
  const proxy = await startCuttingProxy(primary.url)
  onTestFinished(proxy.close)
  const { store } = await openWithReplica(proxy.url)
  onTestFinished(store.close)
  const { url } = await startTestService(store, [testChainConfig(7)])
  const isUp = async () => {
    const metrics = await (await fetch(`${url}/metrics`)).text()
    return /^headwater_replica_up (\d)$/m.exec(metrics)?.[1]
  }
  expect(await isUp()).toBe('1')
  proxy.setAway(true)
  await expect.poll(isUp).toBe('0')
  proxy.setAway(false)
  await expect.poll(isUp).toBe('1')
})

it('has a read connection for each of 32 concurrent requests, and others for writes', async () => {
  const store = await openStore({ databaseUrl: primary.url })
  onTestFinished(store.close)
  let release = () => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  let held = 0
  const reads = Promise.all(
    Array.from({ length: 32 }, () =>
      store.reader.connection().execute(async (db) => {
        await db.selectFrom('chains').select('chain_id').execute()
        held++
        await released
      }),
    ),
  )
  reads.catch(() => {})
  try {
    await expect.poll(() => held).toBe(32)
    await store.db.transaction().execute(async (db) => {
      await db.updateTable('chains').set({ metadata_version: 1 }).execute()
    })
  } finally {
    release()
  }
  await reads
})

it('rejects a read while all connections to the replica are in use, instead of using the primary', async () => {
  const size = { connections: 1, connectionTimeoutMs: 2000 }
  const replicaPool = createPostgresPool(replica.url, size)
  const primaryPool = createPostgresPool(primary.url, size)
  const failures: unknown[] = []
  const pool = new FallbackPool(replicaPool, primaryPool, (error) => failures.push(error))
  onTestFinished(async () => {
    await pool.end()
    await primaryPool.end()
  })
  const held = await pool.connect()
  await expect(pool.connect()).rejects.toThrow('timeout exceeded')
  expect(primaryPool.totalCount).toBe(0)
  held.release()
  const next = await pool.connect()
  next.release()
  expect([replicaPool.totalCount, primaryPool.totalCount, failures]).toEqual([1, 0, []])
})

it('serves requests from the replica at its head, and from the primary once the replica is unavailable', async () => {
  const { fetch } = await startTestService(store, [testChainConfig(7)])
  const request = async () => {
    const response = await fetch(path)
    const { balances } = (await response.json()) as { balances?: { amount: string }[] }
    return [response.headers.get('x-block-numbers'), balances?.[0]?.amount]
  }
  expect(await request()).toEqual(['7=5', '5'])
  expect(warnings).toEqual([])

  await replica.drop()
  // Requests on a broken connection fail; later ones use the primary.
  await expect.poll(request).toEqual(['7=6', '6'])
  expect(warnings.join()).toContain('the replica is unreachable or behind')
})
