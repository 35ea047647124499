import { pino } from 'pino'
import { expect, it, onTestFinished } from 'vitest'
import { createTestDatabase } from '../../test/createTestDatabase.ts'
import { seedChain, testAddress } from '../../test/seedChain.ts'
import { startCuttingProxy } from '../../test/startCuttingProxy.ts'
import { startTestService } from '../../test/startTestService.ts'
import { testChainConfig, testTokens } from '../../test/testChainConfig.ts'
import { openStore } from './openStore.ts'

const holder = testAddress(0xab)
const path = `/v1/evm/balances/${holder}?filters=erc20`

/** A primary whose replica has not yet heard of block 6. Both are databases of their own, as a replica's lag is not ours to set. */
async function openWithReplica(through = (url: string) => Promise.resolve(url)) {
  const primary = await createTestDatabase()
  const replica = await createTestDatabase()
  const seed = async (url: string, number: number) => {
    const { db, close } = await openStore({ databaseUrl: url })
    await seedChain(db, {
      chainId: 7,
      blocks: { [number]: 1_700_000_000 + number },
      tokens: [{ address: testTokens.usd, decimals: 6 }],
      balances: [{ holder, token: testTokens.usd, amount: BigInt(number) }],
    })
    await close()
  }
  await seed(primary.url, 6)
  await seed(replica.url, 5)
  const warnings: string[] = []
  const logger = pino({ level: 'warn' }, { write: (line) => warnings.push(line) })
  const location = { databaseUrl: primary.url, replicaUrl: await through(replica.url) }
  const store = await openStore(location, logger)
  onTestFinished(async () => {
    await store.close()
    await primary.drop()
    await replica.drop().catch(() => {})
  })
  return { store, replica, warnings }
}

it('answers from the replica, of its head, and from the primary while the replica is away', async () => {
  const { store, replica, warnings } = await openWithReplica()
  const { fetch } = await startTestService(store, [testChainConfig(7)])
  const told = async () => {
    const response = await fetch(path)
    const { balances } = (await response.json()) as { balances?: { amount: string }[] }
    return [response.headers.get('x-block-numbers'), balances?.[0]?.amount]
  }
  expect(await told()).toEqual(['7=5', '5'])
  expect(warnings).toEqual([])

  await replica.drop()
  // What was asked of a broken connection fails; whoever comes then is answered by the primary.
  await expect.poll(told).toEqual(['7=6', '6'])
  expect(warnings.join()).toContain('the replica is away')
})

it('reads from the primary when the replica falls silent, and keeps nobody waiting for it', async () => {
  let fallSilent = () => {}
  const { store, warnings } = await openWithReplica(async (url) => {
    const proxy = await startCuttingProxy(url)
    fallSilent = proxy.fallSilent
    onTestFinished(proxy.close)
    return proxy.url
  })
  const read = () => store.reader.selectFrom('chains').select('indexed_block').execute()
  expect(await read()).toEqual([{ indexed_block: 5 }])
  fallSilent()
  await expect(read()).rejects.toThrow('Connection terminated')
  await expect.poll(read).toEqual([{ indexed_block: 6 }])
  expect(warnings.join()).toContain('the replica is away')
})

it('tells how far the indexer is from the primary, and of which block the answers of the replica are', async () => {
  const { store } = await openWithReplica()
  await store.db.insertInto('indexers').values({ chain_id: 7, head_block: 9 }).execute()
  const { url } = await startTestService(store, [testChainConfig(7)])
  const { chains } = (await (await fetch(`${url}/ready`)).json()) as { chains: object[] }
  expect(chains).toMatchObject([
    { indexed_block: 6, head_block: 9, lag_blocks: 3, answered_block: 5, synced: true },
  ])
})

it('writes to the primary alone', async () => {
  const { store } = await openWithReplica()
  const chainOf = (db: typeof store.db) => db.selectFrom('chains').select('indexed_block').execute()
  expect(await chainOf(store.db)).toEqual([{ indexed_block: 6 }])
  expect(await chainOf(store.reader)).toEqual([{ indexed_block: 5 }])
})

it('has a connection for each of 32 answers at once, and others for whoever writes', async () => {
  const { url, drop } = await createTestDatabase()
  const store = await openStore({ databaseUrl: url })
  onTestFinished(async () => {
    await store.close()
    await drop()
  })
  let release = () => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  let holding = 0
  const answers = Array.from({ length: 32 }, () =>
    store.reader.connection().execute(async (db) => {
      await db.selectFrom('chains').select('chain_id').execute()
      holding++
      await released
    }),
  )
  const all = Promise.all(answers)
  all.catch(() => {})
  try {
    await expect.poll(() => holding).toBe(32)
    await store.db.transaction().execute(async (db) => {
      await db.deleteFrom('chains').execute()
    })
  } finally {
    release()
  }
  await all
})
