import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, inject, it, onTestFinished } from 'vitest'
import { createTestDatabase } from '../../test/createTestDatabase.ts'
import { FakeChain } from '../../test/FakeChain.ts'
import { listPrepared } from '../../test/listPrepared.ts'
import { seedChain, testAddress } from '../../test/seedChain.ts'
import { startFakeNode } from '../../test/startFakeNode.ts'
import { missingPgbouncer, startPgbouncer } from '../../test/startPgbouncer.ts'
import { startServiceProcess } from '../../test/startServiceProcess.ts'
import { startTestService } from '../../test/startTestService.ts'
import { testChainConfig, testTokens } from '../../test/testChainConfig.ts'
import type { Config } from '../config/Config.ts'
import { checkStore } from '../doctor/checkStore.ts'
import { openStore } from './openStore.ts'

const postgres = inject('postgres')
const missing = missingPgbouncer ?? ('missing' in postgres ? postgres.missing : undefined)
const holders = Array.from({ length: 8 }, (_, index) => testAddress(0xab + index))
const never = new AbortController().signal

async function open(poolMode: Parameters<typeof startPgbouncer>[1]) {
  const { url, drop } = await createTestDatabase()
  onTestFinished(drop)
  const pooler = await startPgbouncer(url, poolMode)
  onTestFinished(pooler.stop)
  // Creates the tables through the pooler.
  const store = await openStore({ databaseUrl: pooler.url })
  onTestFinished(store.close)
  const direct = await openStore({ databaseUrl: url })
  onTestFinished(direct.close)
  return { store, direct }
}

describe.skipIf(missing)(`PgBouncer${missing ? ` skipped: ${missing}` : ''}`, () => {
  it('serves requests in transaction mode, also new blocks, and counts their units', async () => {
    const { store, direct } = await open('transaction')
    const seed = (block: number) =>
      seedChain(direct.db, {
        chainId: 7,
        blocks: { [block]: 1_700_000_000 + block },
        tokens: [{ address: testTokens.usd, decimals: 6 }],
        balances: holders.map((holder, index) => {
          return { holder, token: testTokens.usd, amount: BigInt(100 * block + index) }
        }),
      })
    await seed(5)
    const service = await startTestService(store, [testChainConfig(7)])
    // Without the fetch of the fixture, which reads the state of the chain.
    const headers = { 'X-Service-Api-Key': service.secret }
    const readAmounts = async () =>
      await Promise.all(
        holders.map(async (holder, index) => {
          // Pages of other lengths are not cached.
          const path = `/v1/evm/balances/${holder}?filters=erc20&limit=${index + 1}`
          const response = await fetch(service.url + path, { headers })
          const { balances } = (await response.json()) as { balances?: { amount: string }[] }
          return Number(balances?.[0]?.amount)
        }),
      )
    const amountsAt = (block: number) => holders.map((_, index) => 100 * block + index)
    await expect.poll(readAmounts).toEqual(amountsAt(5))
    await seed(6)
    await expect.poll(readAmounts).toEqual(amountsAt(6))
    await service.close()
    const key = await direct.db.selectFrom('keys').select('units_used').executeTakeFirstOrThrow()
    expect(key.units_used).toBeGreaterThanOrEqual(16)
  })

  it.each(['transaction', 'session'] as const)(
    'prepares no statements in %s mode',
    async (mode) => {
      const { store } = await open(mode)
      expect(await listPrepared(store.db)).toEqual([])
    },
  )

  it('detects that notifications do not arrive, and receives them by a direct connection', async () => {
    const { url, drop } = await createTestDatabase()
    onTestFinished(drop)
    const pooler = await startPgbouncer(url, 'transaction')
    onTestFinished(pooler.stop)
    const messages: string[] = []
    const logger = { warn: (message: unknown) => void messages.push(String(message)) }
    const watch = async (listenUrl?: string) => {
      const location = { databaseUrl: pooler.url, ...(listenUrl !== undefined && { listenUrl }) }
      const store = await openStore(location, logger)
      onTestFinished(store.close)
      onTestFinished(store.watchChains(() => {}))
      return store
    }
    await watch()
    await expect
      .poll(() => messages)
      .toEqual([
        expect.stringMatching(/^databaseUrl leads to a pooler .* set listenUrl to a direct/),
      ])
    const store = await watch(url)
    const isListening = async () =>
      (
        await store.db
          .selectFrom(sql<{ query: string }>`pg_stat_activity`.as('activity'))
          .select('query')
          .where(sql`application_name`, '=', 'headwater listen')
          .where('query', 'like', 'listen headwater%')
          .execute()
      ).length > 0
    await expect.poll(isListening).toBe(true)
    expect(messages.length).toBe(1)
    const check = async (databases: Partial<Config>) =>
      await checkStore({
        chains: [] as Config['chains'],
        dataFolder: '/none',
        ...databases,
      } as Config)
    expect((await check({ databaseUrl: pooler.url }))[1]).toMatchObject({
      level: 'warning',
      message: expect.stringContaining('set listenUrl to a direct connection') as string,
    })
    expect((await check({ databaseUrl: pooler.url, listenUrl: url }))[1]).toMatchObject({
      level: 'ok',
      message: 'arrive by listenUrl',
    })
    expect((await check({ databaseUrl: pooler.url, role: 'serve' }))[0]?.level).toBe('ok')
    expect((await check({ databaseUrl: pooler.url, role: 'all' }))[0]).toMatchObject({
      level: 'error',
      message: expect.stringContaining('does not keep the lock of a chain') as string,
    })
    expect((await check({ databaseUrl: url, role: 'all' }))[0]?.level).toBe('ok')
  })

  it('does not index in transaction mode, and does in session mode', async () => {
    const { store } = await open('transaction')
    await expect(store.lockChain(7, { signal: never })).rejects.toMatchObject({
      name: 'StoreError',
      message: expect.stringContaining('transaction mode') as string,
    })
    const session = await open('session')
    const lock = await session.store.lockChain(7, { signal: never })
    const waiting = new Promise<void>((resolve) => {
      const stop = new AbortController()
      void session.direct.lockChain(7, {
        signal: stop.signal,
        onWaiting: () => {
          stop.abort()
          resolve()
        },
      })
    })
    await waiting
    await lock?.release()
  })

  it('states in /ready why a process that indexes cannot, and does not stop the chain', async () => {
    const { url, drop } = await createTestDatabase()
    onTestFinished(drop)
    const pooler = await startPgbouncer(url, 'transaction')
    onTestFinished(pooler.stop)
    const node = await startFakeNode(new FakeChain(), 7)
    onTestFinished(() => node.close())
    const folder = mkdtempSync(join(tmpdir(), 'headwater-pooled-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const file = join(folder, 'headwater.config.json')
    const { id, name, nativeCurrency } = testChainConfig(7)
    const chains = [{ id, name, nativeCurrency, rpcUrls: [node.url] }]
    writeFileSync(file, JSON.stringify({ databaseUrl: pooler.url, chains }))
    const process = startServiceProcess(['start', '--config', file, '--port', '0'])
    onTestFinished(async () => void (await process.kill('SIGKILL')))
    const readReady = async (): Promise<unknown> => {
      const base = /"url":"([^"]+)"/.exec(process.printed.stderr)?.[1]
      return base && (await (await fetch(`${base}/ready`)).json())
    }
    const failure = expect.stringContaining('does not keep the lock of a chain') as string
    await expect.poll(readReady).toMatchObject({ chains: [{ failure, stopped: false }] })
  })
})
