import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { API_KEY_HEADER } from '@headwater/contract'
import { createClient, watchBalances } from '@headwater/core'
import { openStore } from '../../../../apps/service/src/store/openStore.ts'
import { now } from '../../now.ts'
import { printFigure, printProgress, rounded } from '../../printFigure.ts'
import { processFigures } from '../../processFigures.ts'
import { median, quantile } from '../../quantile.ts'
import { benchChainId } from '../history/startNode.ts'
import { cacheMegabytes, configOf } from '../live/benchLive.ts'
import type { Commit } from '../live/ChainMover.ts'
import type { PublishedBlock } from '../live/liveServer.ts'
import { getWallet, seedWallets } from '../live/seedWallets.ts'
import { receive } from '../receive.ts'
import { seeded, seedStore } from '../responses/seedStore.ts'
import type { BenchPostgres } from '../startBenchPostgres.ts'
import type { Delivery } from './pushClients.ts'

const connections = Number(process.env['PUSH_CONNECTIONS'] ?? 1000)
const walletsEach = 10
const clientProcesses = 2
/** Blocks change 2 % of these wallets, and 200 pools. */
const activeWallets = 1000
const blockMs = 1000
const seconds = 20
const pollers = 20
const pollMs = 2000
/** Wallets of the client of `@headwater/core`. */
const coreWallets = 20
/** Targets in milliseconds. */
const reach = { median: 100, p99: 400 }

/** A block, and a time at which something of it arrived. */
type Arrival = readonly [block: number, at: number]

/**
 * Measures the time from the commit of a block to the new balances in a client that follows changes, and its stages, beside
 * clients that poll. Indexer, node, service and clients are processes of their own.
 */
export async function benchPush(postgres: BenchPostgres): Promise<void> {
  const location = { databaseUrl: await postgres.createDatabase() }
  printProgress('Push: filling a store …')
  const store = await openStore(location)
  const secret = await seedStore(store, 1_000)
  await seedWallets(store)
  await store.close()
  const node = fork(new URL('../responses/stateNode.ts', import.meta.url))
  const server = fork(new URL('../live/liveServer.ts', import.meta.url))
  const indexer = fork(new URL('../live/liveIndexer.ts', import.meta.url))
  const clients = Array.from({ length: clientProcesses }, () =>
    fork(new URL('pushClients.ts', import.meta.url)),
  )
  try {
    const { url: nodeUrl } = await receive<{ url: string }>(node)
    const { url } = await receive<{ url: string }>(server, {
      location,
      config: { ...configOf(nodeUrl), cacheMegabytes },
    })
    await receive(indexer, { location })
    printProgress(`Push: opening ${connections} connections …`)
    const openedAt = now()
    const each = connections / clientProcesses
    await Promise.all(
      clients.map((client, index) => {
        const first = index * each * walletsEach
        return receive(client, { url, secret, first, connections: each, walletsEach })
      }),
    )
    const openMs = now() - openedAt
    const core = followWithCore(url, secret)
    await delay(2_000)
    const { cpuSeconds } = processFigures(server.pid ?? 0)
    const startedAt = now()
    indexer.send({ wallets: activeWallets, intervalMs: blockMs })
    const stop = new AbortController()
    const polling = poll(url, secret, stop.signal)
    await delay(1000 * seconds)
    const { commits } = await receive<{ commits: Commit[] }>(indexer, {})
    // Until the last changes have arrived.
    await delay(2_000)
    stop.abort()
    const elapsed = (now() - startedAt) / 1000
    const { peakMemory, cpuSeconds: cpuEnd } = processFigures(server.pid ?? 0)
    const { published } = await receive<{ published: PublishedBlock[] }>(server, 'published')
    const received = await Promise.all(
      clients.map((client) => receive<{ deliveries: Delivery[] }>(client, {})),
    )
    const deliveries = received.flatMap((client) => client.deliveries)
    core.stop()
    const { arrivals: polled, units: polledUnits } = await polling
    const committed = new Map(commits.map((commit) => [commit[0], commit]))
    const served = new Map(published.map((block) => [block[0], block]))
    const since = (arrivals: readonly Arrival[]) =>
      arrivals.flatMap(([block, at]) => {
        const commit = committed.get(block)
        return commit ? [at - commit[1]] : []
      })
    const snapshots = since(deliveries.map(([block, , at]) => [block, at]))
    printFigure('push', {
      connections,
      wallets: connections * walletsEach,
      blocks: commits.length,
      changed_wallets_per_block: activeWallets * 0.02,
      open_ms: Math.round(openMs),
      ...describe(
        'commit',
        commits.map(([, begin, end]) => end - begin),
      ),
      ...describe(
        'read',
        published.map(([block, at]) => at - (committed.get(block)?.[2] ?? NaN)),
      ),
      ...describe(
        'price',
        published.map(([, read, at]) => at - read),
      ),
      ...describe(
        'event',
        deliveries.map(([block, at]) => at - (served.get(block)?.[2] ?? NaN)),
      ),
      ...describe(
        'request',
        deliveries.map(([, eventAt, at]) => at - eventAt),
      ),
      ...describe('snapshot', snapshots),
      ...describe('core_snapshot', since(core.arrivals)),
      ...describe('polling', since(polled)),
      deliveries: deliveries.length,
      units_per_minute: Math.round((deliveries.length * 60) / elapsed),
      polling_units_per_minute: Math.round(
        (polledUnits * 60 * connections * walletsEach) / elapsed / pollers,
      ),
      cpu_share: rounded((cpuEnd - cpuSeconds) / elapsed),
      peak_memory_mb: peakMemory,
      reach: `${reach.median}, ${reach.p99}`,
      ok: median(snapshots) <= reach.median && quantile(snapshots, 0.99) <= reach.p99,
    })
    const ended = once(server, 'exit')
    server.kill()
    await ended
  } finally {
    for (const child of [node, server, indexer, ...clients]) {
      child.kill('SIGKILL')
    }
  }
}

/** Watches wallets with a client of `@headwater/core`, and records when their balances changed. */
function followWithCore(baseUrl: string, apiKey: string) {
  const blocks = new Map<string, number>()
  const arrivals: Arrival[] = []
  const client = createClient({
    baseUrl,
    apiKey,
    ssr: false,
    fetch: async (input, init) => {
      const response = await fetch(input, init)
      const block = response.headers.get('x-block-numbers')?.split('=')[1]
      blocks.set(new URL(String(input)).pathname, Number(block))
      return response
    },
  })
  for (let index = 0; index < coreWallets; index++) {
    const address = getWallet(index)
    let amounts: string | undefined
    watchBalances(client, { address, chainIds: [benchChainId] }).subscribe(({ data }) => {
      const latest = data && JSON.stringify(data.map(({ address, amount }) => [address, amount]))
      if (amounts !== undefined && latest !== amounts) {
        arrivals.push([blocks.get(`/v1/evm/balances/${address}`) ?? 0, now()])
      }
      amounts = latest
    })
  }
  return { arrivals, stop: () => client.destroy() }
}

/** Polls wallets, and records when a response had each block first. */
async function poll(url: string, secret: string, signal: AbortSignal) {
  const arrivals: Arrival[] = []
  let units = 0
  const headers = { [API_KEY_HEADER]: secret }
  const pollOne = async (index: number) => {
    await delay((index * pollMs) / pollers)
    let seen = seeded.head.number
    while (!signal.aborted) {
      units++
      const response = await fetch(`${url}/v1/evm/balances/${getWallet(index)}`, { headers })
      await response.text()
      const block = Number(response.headers.get('x-block-numbers')?.split('=')[1])
      for (let each = seen + 1; each <= block; each++) {
        arrivals.push([each, now()])
      }
      seen = block
      await delay(pollMs, undefined, { signal }).catch(() => {})
    }
  }
  await Promise.all(Array.from({ length: pollers }, (_, index) => pollOne(index)))
  return { arrivals, units }
}

/** Median and 99th percentile in milliseconds. */
function describe(name: string, values: readonly number[]): Record<string, number> {
  return {
    [`${name}_median_ms`]: Math.round(median(values)),
    [`${name}_p99_ms`]: Math.round(quantile(values, 0.99)),
  }
}
