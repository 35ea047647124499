import { type ChildProcess, fork } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { openStore } from '../../../../apps/service/src/store/openStore.ts'
import type { StoreLocation } from '../../../../apps/service/src/store/Store.ts'
import { printFigure, printProgress, rounded } from '../../printFigure.ts'
import { processFigures } from '../../processFigures.ts'
import { configOf } from '../live/benchLive.ts'
import type { ChainMover, Commit } from '../live/ChainMover.ts'
import { seedWallets } from '../live/seedWallets.ts'
import { receive } from '../receive.ts'
import { seedStore } from '../responses/seedStore.ts'
import { startStateNode } from '../responses/startStateNode.ts'
import type { BenchPostgres } from '../startBenchPostgres.ts'
import { fitSlope } from './fitSlope.ts'
import { SoakClient } from './SoakClient.ts'

const blockMs = 250
/** Blocks change 2 % of these wallets, which are also requested and followed. */
const wallets = 1_000
const sampleMs = 5_000

/** Options of the run. */
export interface SoakOptions {
  readonly minutes: number
  readonly streams: number
  /** Requests per second. */
  readonly rate: number
  readonly stores: readonly ('postgres' | 'pglite')[]
}

/**
 * Serves streams and requests for a time while blocks are committed, and fits the slope of the memory of the second half. At
 * the end, the amounts of all changed wallets are compared with what the blocks wrote.
 */
export async function benchSoak(postgres: BenchPostgres, options: SoakOptions): Promise<void> {
  const node = await startStateNode()
  try {
    for (const store of options.stores) {
      await soak(store, postgres, node.url, options)
    }
  } finally {
    node.stop()
  }
}

async function soak(
  kind: 'postgres' | 'pglite',
  postgres: BenchPostgres,
  nodeUrl: string,
  { minutes, streams, rate }: SoakOptions,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-soak-'))
  const location =
    kind === 'postgres'
      ? { databaseUrl: await postgres.createDatabase() }
      : { folder: join(folder, 'data') }
  printProgress(`Soak: filling a store on ${kind} …`)
  const secret = await fillStore(location)
  const server = startServer(kind)
  let client: SoakClient | undefined
  try {
    const config = configOf(nodeUrl)
    const { url } = await receive<{ url: string }>(server, { location, config })
    client = new SoakClient({ url, secret }, wallets)
    printProgress(`Soak: opening ${streams} streams …`)
    await client.openStreams(streams)
    server.send({ wallets, intervalMs: blockMs })
    const stopMeasuring = measureProcess(server.pid ?? 0)
    printProgress(`Soak: ${minutes} minutes, ${rate} requests per second on ${kind} …`)
    await client.sendRequests(rate, minutes * 60_000)
    const figures = stopMeasuring()
    const { commits, amounts } = await receive<Moved>(server, {})
    await client.settle()
    // The last block reaches the responses.
    await delay(3_000)
    client.closeStreams()
    const drift = await countDifferences(amounts, client)
    printFigure('soak', {
      store: kind,
      minutes,
      streams,
      blocks: commits.length,
      requests_per_second: rounded(client.sent / (minutes * 60)),
      not_sent: client.notSent,
      events: Object.fromEntries(client.events),
      failures: Object.fromEntries(client.failures),
      compared_amounts: amounts.length,
      drift,
      ...figures,
      ok: client.failures.size === 0 && drift === 0,
    })
  } finally {
    server.kill('SIGKILL')
    client?.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** What a server sends when it stops to commit blocks. */
interface Moved {
  readonly commits: readonly Commit[]
  readonly amounts: ReturnType<ChainMover['listAmounts']>
}

/** Fills a store, and creates an API key. */
async function fillStore(location: StoreLocation): Promise<string> {
  const store = await openStore(location)
  const secret = await seedStore(store, 1_000)
  await seedWallets(store)
  await store.close()
  return secret
}

function startServer(kind: 'postgres' | 'pglite'): ChildProcess {
  return fork(new URL('../live/liveServer.ts', import.meta.url), {
    // As `npm start` and the program set it for the embedded database.
    ...(kind === 'pglite' && {
      execArgv: [...process.execArgv, '--max-semi-space-size=8', '--heap-growing-percent=30'],
    }),
    env: { ...process.env, MALLOC_ARENA_MAX: '2' },
  })
}

/** Samples the resident memory of a process, and returns a function that stops it and returns the figures. */
function measureProcess(pid: number) {
  const startedAt = performance.now()
  const { cpuSeconds } = processFigures(pid)
  const getMinutes = () => (performance.now() - startedAt) / 60_000
  const samples: [minute: number, megabytes: number][] = []
  const sampling = setInterval(() => samples.push([getMinutes(), readResident(pid)]), sampleMs)
  return () => {
    clearInterval(sampling)
    const minutes = getMinutes()
    const half = samples.filter(([minute]) => minute > minutes / 2)
    return {
      cpu_share: rounded((processFigures(pid).cpuSeconds - cpuSeconds) / (minutes * 60)),
      memory_mb: {
        start: samples[0]?.[1],
        end: samples.at(-1)?.[1],
        peak: Math.max(...samples.map(([, megabytes]) => megabytes)),
      },
      slope_mb_per_minute: rounded(fitSlope(half)),
    }
  }
}

/** The number of amounts that differ from those that blocks wrote. */
async function countDifferences(
  changed: Moved['amounts'],
  client: Pick<SoakClient, 'loadBalances'>,
): Promise<number> {
  let differences = 0
  const byWallet = Map.groupBy(changed, ([key]) => key.split(' ')[0] ?? '')
  for (const [wallet, expected] of byWallet) {
    const body = JSON.parse(await client.loadBalances(wallet)) as {
      balances: { address: string; amount: string }[]
    }
    const amounts = new Map(body.balances.map(({ address, amount }) => [address, amount]))
    differences += expected.filter(
      ([key, amount]) => amounts.get(key.split(' ')[1] ?? '') !== amount,
    ).length
  }
  return differences
}

/** The resident memory of a process, in megabytes. */
function readResident(pid: number): number {
  const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Math.round(Number(kilobytes) / 1024)
}
