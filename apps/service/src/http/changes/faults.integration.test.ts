import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { compareWithLog, getVersion } from '../../../test/compareWithLog.ts'
import { createTestDatabase } from '../../../test/createTestDatabase.ts'
import { FakeChain, type FakeEvent } from '../../../test/FakeChain.ts'
import { openEvents, type ReceivedEvent } from '../../../test/readEvents.ts'
import { testAddress } from '../../../test/seedChain.ts'
import { startFakeNode } from '../../../test/startFakeNode.ts'
import { startServiceProcess } from '../../../test/startServiceProcess.ts'
import { startTcpProxy } from '../../../test/startTcpProxy.ts'
import { testChainConfig } from '../../../test/testChainConfig.ts'
import { createKey } from '../../keys/createKey.ts'
import { loadChanges } from '../../store/changes.ts'
import { toHex } from '../../store/hex.ts'
import { openStore } from '../../store/openStore.ts'

const chainId = 4242
const zero = testAddress(0)
const token = testAddress(0x500)
const wallets = Array.from({ length: 6 }, (_, index) => testAddress(0x600 + index))
const waits = { timeout: 90_000, interval: 100 }

/** Four are of all kinds but a cut, which follows a stall. More find more: `CHANGES_FAULTS=200 CHANGES_CONNECTS=10000`. */
const faultCount = Number(process.env['CHANGES_FAULTS'] ?? 4)
const connectCount = Number(process.env['CHANGES_CONNECTS'] ?? 100)
/** A client that receives nothing for this time connects again, as those of stalled streams do. */
const silenceMs = 1_500
const concurrentConnects = 50
const timeoutMs = 240_000 + 20_000 * faultCount + 50 * connectCount

/** An indexing process, two that serve behind proxies, and a store to read their log from. */
async function start() {
  const chain = new FakeChain()
  chain.mine([{ type: 'transfer', token, from: zero, to: wallets[0]!, amount: 1n }])
  const node = await startFakeNode(chain, chainId)
  node.transformResult = (method, _params, result) =>
    method === 'eth_getBalance' ? '0x5' : method === 'eth_call' ? '0x' : result
  const { url: databaseUrl, drop } = await createTestDatabase()
  const store = await openStore({ databaseUrl })
  const { secret } = await createKey(store.db, {
    name: 'test',
    rate: { requests: 1_000_000, seconds: 1 },
  })
  const folder = mkdtempSync(join(tmpdir(), 'headwater-changes-'))
  const file = join(folder, 'headwater.config.json')
  const { id, name, nativeCurrency } = testChainConfig(chainId)
  const rpcUrls = [{ url: node.url, requestsPerSecond: 100_000 }]
  const followed = { pollIntervalMs: 20, finalityDepth: 16, history: 'index', verify: 'basic' }
  writeFileSync(
    file,
    JSON.stringify({ chains: [{ id, name, nativeCurrency, rpcUrls, ...followed }] }),
  )
  const processes = new Set<ReturnType<typeof startServiceProcess>>()
  onTestFinished(async () => {
    for (const process of processes) {
      await process.kill('SIGKILL')
    }
    await node.close()
    await store.close()
    await drop()
    rmSync(folder, { recursive: true, force: true })
  })
  const startProcess = (role: string) => {
    const args = ['start', '--config', file, '--port', '0', '--role', role]
    const process = startServiceProcess(args, { DATABASE_URL: databaseUrl, LOG_LEVEL: 'error' })
    processes.add(process)
    return process
  }
  const startServing = async () => {
    const process = startProcess('serve')
    const { url } = await process.waitFor('ready')
    return { process, url }
  }
  return { chain, store, secret, startProcess, startServing }
}

type Proxy = Awaited<ReturnType<typeof startTcpProxy>>

/** A client that follows a wallet through one of the proxies, and another one after each connection that ends. */
async function follow(
  { proxies, secret }: { proxies: readonly Proxy[]; secret: string },
  wallet: string,
  isEnd: (version: number) => boolean,
) {
  const received: ReceivedEvent[] = []
  let connects = 0
  for (;;) {
    const { port } = proxies[connects++ % proxies.length]!
    const service = { url: `http://127.0.0.1:${port}`, secret }
    const opening = openEvents(service, `wallets=${chainId}:${wallet}`, received.at(-1)?.id)
    const silence = () => delay(silenceMs, undefined)
    const events = await Promise.race([opening.catch(() => undefined), silence()])
    // A connection that is too late is cut: its events are not read.
    void opening.then((late) => events ?? late.cut()).catch(() => {})
    while (events) {
      const next = await Promise.race([events.next().catch(() => undefined), silence()])
      if (!next) {
        break
      }
      received.push(next)
      if (isEnd(getVersion(next.id, chainId))) {
        events.cut()
        return { chainId, wallets: [wallet], received, connects }
      }
    }
    events?.cut()
    await delay(20)
  }
}

it(
  'deliver each change once through faults of the network, kills and reorgs, and leave nothing behind',
  async () => {
    const { chain, store, secret, startProcess, startServing } = await start()
    let indexer = startProcess('index')
    const serving = await Promise.all([startServing(), startServing()])
    const proxies = await Promise.all(
      serving.map(({ url }) => startTcpProxy(Number(new URL(url).port))),
    )
    const reached = () =>
      expect
        .poll(async () => {
          const row = await store.db.selectFrom('chains').selectAll().executeTakeFirst()
          return row?.synced_at && row.indexed_hash && toHex(row.indexed_hash)
        }, waits)
        .toBe(chain.head.hash)
    await reached()
    const transferTo = (to: string): FakeEvent => ({
      type: 'transfer',
      token,
      from: zero,
      to: to as `0x${string}`,
      amount: 1n,
    })
    let lastVersion = Infinity
    const clients = wallets.map((wallet) =>
      follow({ proxies, secret }, wallet, (version) => version >= lastVersion),
    )
    let count = 0
    const mine = async () => {
      const events = wallets.filter((_, index) => (count + index) % 3 !== 0).map(transferTo)
      if (++count % 3 === 0) {
        chain.reorg(2, [events, [], events.slice(1)])
      } else {
        chain.mine(events)
      }
      await reached()
    }
    const faults: ((proxy: Proxy, index: number) => Promise<void> | void)[] = [
      async (proxy) => {
        proxy.forwarding = 'buffered'
        await mine()
        proxy.flush()
      },
      async (proxy) => {
        proxy.forwarding = 'stalled'
        await mine()
        // What was lost in the middle of a stream must not reach a client later.
        proxy.cut()
        proxy.forwarding = 'direct'
      },
      async (proxy, index) => {
        await serving[index]?.process.kill('SIGKILL')
        await mine()
        serving[index] = await startServing()
        proxy.targetPort = Number(new URL(serving[index].url).port)
      },
      async () => {
        await indexer.kill('SIGKILL')
        indexer = startProcess('index')
      },
      (proxy) => proxy.cut(),
    ]
    for (let index = 0; index < faultCount; index++) {
      const side = index % proxies.length
      await faults[index % faults.length]!(proxies[side]!, side)
      await mine()
    }
    chain.mine(wallets.map(transferTo))
    await reached()
    const row = await store.db.selectFrom('chains').select('change_version').executeTakeFirst()
    lastVersion = row?.change_version ?? 0
    const log = await loadChanges(store.db, chainId, { after: 0 })
    const ended = await Promise.all(clients)
    const counts = ended.map((client) => compareWithLog(log, client))
    expect(ended.every(({ connects }) => connects > 1)).toBe(true)
    expect(counts.every(({ changes }) => changes > 0)).toBe(true)
    expect(counts.some(({ reorgs }) => reorgs > 0)).toBe(true)

    const { url } = serving[0]!
    const readMetrics = async () => {
      const text = await (await fetch(`${url}/metrics`)).text()
      const metric = (name: string) => Number(new RegExp(`^${name} (\\d+)`, 'm').exec(text)?.[1])
      return [metric('headwater_subscriptions'), metric('process_open_fds')] as const
    }
    await expect.poll(async () => (await readMetrics())[0], waits).toBe(0)
    const [, files] = await readMetrics()
    for (let open = 0; open < connectCount; open += concurrentConnects) {
      await Promise.all(
        Array.from(
          { length: Math.min(concurrentConnects, connectCount - open) },
          async (_, each) => {
            const { id } = ended[each % ended.length]?.received.at(-1) ?? {}
            const query = `wallets=${chainId}:${wallets[each % wallets.length]}`
            const events = await openEvents({ url, secret }, query, id)
            expect((await events.next())?.event.type).toBe('heartbeat')
            events.cut()
          },
        ),
      )
    }
    await expect.poll(async () => (await readMetrics())[0], waits).toBe(0)
    // One connection for the metrics, and those of the store.
    await expect.poll(async () => (await readMetrics())[1], waits).toBeLessThan(files + 10)
  },
  timeoutMs,
)
