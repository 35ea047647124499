import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import autocannon from 'autocannon'
import { API_KEY_HEADER } from '@headwater/contract'
import { openStore } from '../../../../apps/service/src/store/openStore.ts'
import { printFigure, printProgress, rounded } from '../../printFigure.ts'
import { processFigures } from '../../processFigures.ts'
import { benchChainId } from '../history/startNode.ts'
import { receive } from '../receive.ts'
import type { BenchPostgres } from '../startBenchPostgres.ts'
import { benchPages } from './benchPages.ts'
import { requests } from './requests.ts'
import { seeded, seedStore } from './seedStore.ts'
import { startStateNode } from './startStateNode.ts'

const main = fileURLToPath(new URL('../../../../apps/service/src/main.ts', import.meta.url))
const connections = 64
const seconds = 8
/** Target ratio to the requests per second of the same bodies from memory, without new blocks. */
const reach = 0.5

interface ResponsesOptions {
  readonly stores: readonly ('postgres' | 'pglite')[]
  /** Number of holders of the token. */
  readonly holders: number
}

/** Measures responses from a store with many holders, and the same bodies from memory. */
export async function benchResponses(
  postgres: BenchPostgres,
  { stores, holders }: ResponsesOptions,
): Promise<void> {
  const node = await startStateNode()
  for (const store of stores) {
    const folder = mkdtempSync(join(tmpdir(), 'headwater-bench-'))
    const databaseUrl = store === 'postgres' ? await postgres.createDatabase() : undefined
    try {
      printProgress(`Responses: filling a store on ${store} …`)
      const location = databaseUrl ? { databaseUrl } : { folder: join(folder, 'data') }
      const opened = await openStore(location)
      let secret: string
      try {
        secret = await seedStore(opened, holders)
        await benchPages(opened, store, holders)
      } finally {
        await opened.close()
      }
      const config = join(folder, 'headwater.config.json')
      writeFileSync(config, JSON.stringify(configOf(node.url, databaseUrl)))
      await benchService(store, config, folder, secret)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }
  node.stop()
}

async function benchService(store: string, config: string, folder: string, secret: string) {
  const service = spawn(
    process.execPath,
    [...['--conditions=@headwater/source', main], ...['start', '--role', 'serve']].concat([
      '--config',
      config,
    ]),
    {
      cwd: folder,
      env: { ...process.env, DATABASE_URL: '', NODE_ENV: 'production', LOG_LEVEL: 'warn' },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    },
  )
  const memory = fork(new URL('memoryServer.ts', import.meta.url))
  try {
    const url = await readyUrl(service)
    const headers = { [API_KEY_HEADER]: secret }
    const bodies: Record<string, string> = {}
    for (const path of Object.values(requests)) {
      const response = await fetch(url + path, { headers })
      bodies[path] = await response.text()
      if (response.status !== 200) {
        throw new Error(`${path} returned ${bodies[path]}`)
      }
    }
    const memoryUrl = await receive<string>(memory, bodies)
    for (const [operation, path] of Object.entries(requests)) {
      printProgress(`Responses: ${operation} on ${store} …`)
      const floor = await load(memory, memoryUrl + path, {})
      const ours = await load(service, url + path, headers)
      const share = ours.rate / floor.rate
      printFigure('responses', {
        operation,
        store,
        connections,
        bytes: bodies[path]?.length,
        requests_per_second: Math.round(ours.rate),
        p50_ms: ours.p50,
        p99_ms: ours.p99,
        cpu_us_per_request: rounded(ours.cpuMicroseconds),
        memory_requests_per_second: Math.round(floor.rate),
        memory_cpu_us_per_request: rounded(floor.cpuMicroseconds),
        share_of_memory: rounded(share),
        reach,
        ok: share >= reach,
      })
    }
    printFigure('responses from memory', {
      store,
      peak_memory_mb: processFigures(service.pid ?? 0).peakMemory,
    })
  } finally {
    memory.kill('SIGKILL')
    const ended = once(service, 'exit')
    service.kill('SIGTERM')
    await ended
  }
}

async function load({ pid = 0 }: ChildProcess, url: string, headers: Record<string, string>) {
  await autocannon({ url, headers, connections, duration: 2 })
  const before = processFigures(pid).cpuSeconds
  const result = await autocannon({ url, headers, connections, duration: seconds })
  const cpuSeconds = processFigures(pid).cpuSeconds - before
  const failed = result.errors + result.non2xx
  if (failed > 0) {
    throw new Error(`${failed} requests to ${url} failed`)
  }
  return {
    rate: result.requests.total / result.duration,
    cpuMicroseconds: (cpuSeconds / result.requests.total) * 1e6,
    p50: result.latency.p50,
    p99: result.latency.p99,
  }
}

async function readyUrl(service: ChildProcess): Promise<string> {
  for (;;) {
    const [message] = (await Promise.race([
      once(service, 'message'),
      once(service, 'exit').then(() => {
        throw new Error('The service exited before it was ready')
      }),
      delay(120_000).then(() => {
        throw new Error('The service was not ready within two minutes')
      }),
    ])) as [{ type: string; url: string }]
    if (message.type === 'ready') {
      return message.url
    }
  }
}

function configOf(rpcUrl: string, databaseUrl: string | undefined) {
  return {
    port: 0,
    dataFolder: 'data',
    ...(databaseUrl && { databaseUrl }),
    chains: [
      {
        id: benchChainId,
        name: 'bench',
        tags: ['default'],
        rpcUrls: [rpcUrl],
        nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
        wrappedNative: seeded.wrappedNative,
        stablecoins: [seeded.usd],
      },
    ],
  }
}
