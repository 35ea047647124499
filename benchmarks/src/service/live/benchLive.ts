import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import autocannon from 'autocannon'
import { API_KEY_HEADER } from '@headwater/contract'
import { openStore } from '../../../../apps/service/src/store/openStore.ts'
import { printFigure, printProgress, rounded } from '../../printFigure.ts'
import { processFigures } from '../../processFigures.ts'
import { benchChainId } from '../history/startNode.ts'
import { seeded, seedStore } from '../responses/seedStore.ts'
import { startStateNode } from '../responses/startStateNode.ts'
import type { BenchPostgres } from '../startBenchPostgres.ts'
import { getWallet, seedWallets } from './seedWallets.ts'

const connections = 64
const seconds = 10
const intervalMs = 250
/** Targets of a moving head, as ratios to a still one: of the requests per second, and of the 99th percentile. */
const reach = { rate: 0.5, p99: 3 }

/**
 * Measures responses to requests for many wallets while the head stands still, and while the serving process commits
 * blocks that change some of them.
 */
export async function benchLive(
  postgres: BenchPostgres,
  stores: readonly ('postgres' | 'pglite')[],
): Promise<void> {
  const node = await startStateNode()
  for (const store of stores) {
    const folder = mkdtempSync(join(tmpdir(), 'headwater-bench-'))
    const location =
      store === 'postgres'
        ? { databaseUrl: await postgres.createDatabase() }
        : { folder: join(folder, 'data') }
    printProgress(`Live responses: filling a store on ${store} …`)
    const opened = await openStore(location)
    const secret = await seedStore(opened, 1_000)
    await seedWallets(opened)
    await opened.close()
    const server = fork(new URL('liveServer.ts', import.meta.url))
    try {
      server.send({ location, config: configOf(node.url) })
      const [{ url }] = (await once(server, 'message')) as [{ url: string }]
      for (const wallets of [300, 10_000]) {
        printProgress(`Live responses: ${wallets} wallets on ${store} …`)
        const options = { server, url, secret, wallets }
        await load(options, 4)
        const still = await load(options)
        server.send({ wallets, intervalMs })
        await delay(2000)
        const moving = await load(options)
        server.send({})
        const [{ blocks }] = (await once(server, 'message')) as [{ blocks: number }]
        const rate = moving.rate / still.rate
        printFigure('answers', {
          ...{ store, wallets, connections, blocks },
          still_per_second: Math.round(still.rate),
          still_p99_ms: still.p99,
          moving_per_second: Math.round(moving.rate),
          moving_p99_ms: moving.p99,
          rate: rounded(rate),
          p99: rounded(moving.p99 / still.p99),
          cpu_us_per_request: rounded(moving.cpuMicroseconds),
          reach: `${reach.rate}, ${reach.p99}`,
          ok: rate >= reach.rate && moving.p99 <= reach.p99 * still.p99,
        })
      }
    } finally {
      server.kill('SIGKILL')
      rmSync(folder, { recursive: true, force: true })
    }
  }
  node.stop()
}

async function load(
  {
    server,
    url,
    secret,
    wallets,
  }: { server: ChildProcess; url: string; secret: string; wallets: number },
  duration = seconds,
) {
  const before = processFigures(server.pid ?? 0).cpuSeconds
  const result = await autocannon({
    ...{ url, connections, duration, timeout: 60 },
    headers: { [API_KEY_HEADER]: secret },
    setupClient: (client) => {
      const requests = Array.from({ length: 2_000 }, () => ({
        path: `/v1/evm/balances/${getWallet(Math.floor(Math.random() * wallets))}`,
      }))
      client.setRequests(requests)
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
    rate: result.requests.total / result.duration,
    p99: result.latency.p99,
    cpuMicroseconds: (cpuSeconds / result.requests.total) * 1e6,
  }
}

function configOf(rpcUrl: string) {
  return {
    chains: [
      {
        ...{ id: benchChainId, name: 'bench', tags: ['default'], rpcUrls: [rpcUrl] },
        nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
        ...{ wrappedNative: seeded.wrappedNative, stablecoins: [seeded.usd] },
        verify: 'basic',
        staleness: { warnAfterSeconds: 3600, rejectAfterSeconds: 7200 },
      },
    ],
  }
}
