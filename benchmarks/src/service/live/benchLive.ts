import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import autocannon from 'autocannon'
import { API_KEY_HEADER } from '@headwater/contract'
import { createKey } from '../../../../apps/service/src/keys/createKey.ts'
import { openStore } from '../../../../apps/service/src/store/openStore.ts'
import { printFigure, printProgress, rounded } from '../../printFigure.ts'
import { processFigures } from '../../processFigures.ts'
import { median } from '../../quantile.ts'
import { benchChainId } from '../history/startNode.ts'
import { receive } from '../receive.ts'
import { seeded, seedStore } from '../responses/seedStore.ts'
import type { BenchPostgres } from '../startBenchPostgres.ts'
import { measureKeys } from './measureKeys.ts'
import { getWallet, seedWallets } from './seedWallets.ts'

const connections = 64
/** Paths that each connection requests in turns, which are prepared before a measurement. */
const requestsPerClient = 500
const intervalMs = 250
/** Measurements of a still and a moving head in turns. The median of their ratios counts, as machines are noisy. */
const rounds = 3
/** The tokens of 10,000 wallets are more than the default is for. */
export const cacheMegabytes = 512
/** Targets of a moving head, as ratios to a still one: of the requests per second, and of the 99th percentile. */
const reach = { rate: 0.5, p99: 3 }

/** Options of the run. */
export interface LiveOptions {
  readonly stores: readonly ('postgres' | 'pglite')[]
  /** Numbers of wallets that are requested. */
  readonly wallets: readonly number[]
  /** Duration of each measurement. */
  readonly seconds: number
}

/**
 * Measures responses to requests for many wallets while the head stands still, and while blocks that change some of them are
 * committed by the serving process, and by another one. Then those of a key beside one with a large wallet.
 */
export async function benchLive(
  postgres: BenchPostgres,
  { stores, wallets: counts, seconds }: LiveOptions,
): Promise<void> {
  // In a process of its own, as it would slow the clients down.
  const node = fork(new URL('../responses/stateNode.ts', import.meta.url))
  const { url: nodeUrl } = await receive<{ url: string }>(node)
  for (const store of stores) {
    for (const roles of store === 'postgres'
      ? (['combined', 'separate'] as const)
      : (['combined'] as const)) {
      const folder = mkdtempSync(join(tmpdir(), 'headwater-bench-'))
      const location =
        store === 'postgres'
          ? { databaseUrl: await postgres.createDatabase() }
          : { folder: join(folder, 'data') }
      printProgress(`Live responses: filling a store on ${store} …`)
      const opened = await openStore(location)
      const secret = await seedStore(opened, 1_000)
      const rate = { requests: 900_000_000, seconds: 1 }
      const other = await createKey(opened.db, { name: 'other', rate })
      await seedWallets(opened)
      await opened.close()
      const server = fork(new URL('liveServer.ts', import.meta.url))
      const indexer =
        roles === 'combined' ? server : fork(new URL('liveIndexer.ts', import.meta.url))
      try {
        const config = { ...configOf(nodeUrl), cacheMegabytes }
        const { url } = await receive<{ url: string }>(server, { location, config })
        if (indexer !== server) {
          await receive(indexer, { location })
        }
        const options = { server, indexer, url, secret, seconds }
        for (const wallets of counts) {
          printProgress(`Live responses: ${wallets} wallets on ${store}, ${roles} roles …`)
          await measureWallets({ ...options, wallets }, { store, roles })
        }
        printProgress(`Live responses: two keys on ${store}, ${roles} roles …`)
        await measureKeys({ ...options, heavySecret: other.secret }, { store, roles })
      } finally {
        await Promise.all([server, indexer].map(end))
        rmSync(folder, { recursive: true, force: true })
      }
    }
  }
  await end(node)
}

/** Ends a process, which then writes its profile, if `NODE_OPTIONS` has `--cpu-prof`. */
async function end(child: ChildProcess): Promise<void> {
  const timer = setTimeout(() => child.kill('SIGKILL'), 10_000)
  if (child.exitCode === null && child.signalCode === null) {
    child.kill('SIGTERM')
    await once(child, 'exit')
  }
  clearTimeout(timer)
}

interface Load {
  readonly server: ChildProcess
  readonly indexer: ChildProcess
  readonly url: string
  readonly secret: string
  readonly wallets: number
  readonly seconds: number
}

async function measureWallets(options: Load, labels: object): Promise<void> {
  const { indexer, wallets } = options
  const measured: { still: Figures; moving: Figures }[] = []
  let blocks = 0
  while (measured.length < rounds) {
    // The responses of all wallets are cached at the head, and the code is compiled, that of a moving head as well.
    await requestAll(options)
    await load(options, { duration: 2 })
    const still = await load(options)
    indexer.send({ wallets, intervalMs })
    await load(options, { duration: 2 })
    const moving = await load(options)
    const { commits } = await receive<{ commits: readonly unknown[] }>(indexer, {})
    blocks += commits.length
    measured.push({ still, moving })
  }
  const each = (head: 'still' | 'moving', figure: keyof Figures) =>
    measured.map((round) => rounded(round[head][figure]))
  const ratios = (figure: keyof Figures) =>
    measured.map(({ still, moving }) => rounded(moving[figure] / still[figure]))
  const rate = median(ratios('rate'))
  const p99 = median(ratios('p99'))
  printFigure('answers', {
    ...labels,
    wallets,
    connections,
    blocks,
    still_per_second: each('still', 'rate'),
    still_p99_ms: each('still', 'p99'),
    moving_per_second: each('moving', 'rate'),
    moving_p99_ms: each('moving', 'p99'),
    cpu_us_per_request: { still: each('still', 'cpuUs'), moving: each('moving', 'cpuUs') },
    reach: [
      {
        target: `requests per second at least ${reach.rate} times those of a still head`,
        value: rate,
        reached: rate >= reach.rate,
      },
      {
        target: `99th percentile at most ${reach.p99} times that of a still head`,
        value: p99,
        reached: p99 <= reach.p99,
      },
    ],
  })
}

interface Figures {
  /** Requests per second. */
  readonly rate: number
  /** In milliseconds. */
  readonly p99: number
  /** CPU time of the process per request, in microseconds. */
  readonly cpuUs: number
}

/** Requests each wallet once. */
async function requestAll({ url, secret, wallets }: Load): Promise<void> {
  const all = Array.from({ length: wallets }, (_, index) => getWallet(index)).values()
  const requestNext = async () => {
    for (const wallet of all) {
      // Not compressed, as those of the load.
      const headers = { [API_KEY_HEADER]: secret, 'accept-encoding': 'identity' }
      await (await fetch(`${url}/v1/evm/balances/${wallet}`, { headers })).arrayBuffer()
    }
  }
  await Promise.all(Array.from({ length: connections }, requestNext))
}

async function load(
  { server, url, secret, wallets, seconds }: Load,
  { duration = seconds } = {},
): Promise<Figures> {
  const before = processFigures(server.pid ?? 0).cpuSeconds
  let startedAt = 0
  const result = await autocannon({
    url,
    connections,
    duration,
    timeout: 60,
    headers: { [API_KEY_HEADER]: secret },
    setupClient: (client) => {
      const createPath = () => `/v1/evm/balances/${getWallet(Math.floor(Math.random() * wallets))}`
      client.setRequests(Array.from({ length: requestsPerClient }, () => ({ path: createPath() })))
      // The last client is set up before the first one connects.
      startedAt = Date.now()
    },
  })
  const failed = result.errors + result.non2xx
  if (failed > 0) {
    throw new Error(
      `${failed} requests failed: ${JSON.stringify(result.statusCodeStats)}, ${result.timeouts} timeouts`,
    )
  }
  const cpuSeconds = processFigures(server.pid ?? 0).cpuSeconds - before
  return {
    rate: (1000 * result.requests.total) / (result.finish.getTime() - startedAt),
    p99: result.latency.p99,
    cpuUs: (cpuSeconds / result.requests.total) * 1e6,
  }
}

/** The configuration of a service for the seeded chain. */
export function configOf(rpcUrl: string) {
  return {
    chains: [
      {
        id: benchChainId,
        name: 'bench',
        tags: ['default'],
        rpcUrls: [rpcUrl],
        nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
        wrappedNative: seeded.wrappedNative,
        stablecoins: [seeded.usd],
        verify: 'basic',
        staleness: { warnAfterSeconds: 3600, rejectAfterSeconds: 7200 },
      },
    ],
  }
}
