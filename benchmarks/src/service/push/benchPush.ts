import { fork } from 'node:child_process'
import { once } from 'node:events'
import { Agent, get, type IncomingMessage } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { API_KEY_HEADER, CHANGES_PATH, type ChangesEvent } from '@headwater/contract'
import { openStore } from '../../../../apps/service/src/store/openStore.ts'
import { printFigure, printProgress, rounded } from '../../printFigure.ts'
import { processFigures } from '../../processFigures.ts'
import { benchChainId } from '../history/startNode.ts'
import { configOf } from '../live/benchLive.ts'
import { ChainMover } from '../live/ChainMover.ts'
import { getWallet, seedWallets } from '../live/seedWallets.ts'
import { seeded, seedStore } from '../responses/seedStore.ts'
import { startStateNode } from '../responses/startStateNode.ts'
import type { BenchPostgres } from '../startBenchPostgres.ts'

const connections = Number(process.env['PUSH_CONNECTIONS'] ?? 1000)
const walletsEach = 10
/** Blocks change 2 % of these wallets, and 200 pools. */
const activeWallets = 1000
const blockMs = 1000
const seconds = 20
const [pollers, pollMs] = [20, 2000]
/** Targets in milliseconds. */
const reach = { median: 100, p99: 400 }

/**
 * Measures the time from the commit of a block to the new balances in a client that follows changes, beside clients that poll.
 * Another process commits the blocks, as in separate roles.
 */
export async function benchPush(postgres: BenchPostgres): Promise<void> {
  const node = await startStateNode()
  const databaseUrl = await postgres.createDatabase()
  printProgress('Push: filling a store …')
  const store = await openStore({ databaseUrl })
  const secret = await seedStore(store, 1_000)
  await seedWallets(store)
  const server = fork(new URL('../live/liveServer.ts', import.meta.url))
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })
  const committedAt: number[] = []
  const mover = new ChainMover({
    get db() {
      committedAt.push(performance.now())
      return store.db
    },
  })
  try {
    server.send({ location: { databaseUrl }, config: configOf(node.url) })
    const [{ url }] = (await once(server, 'message')) as [{ url: string }]
    const request = async (path: string): Promise<IncomingMessage> => {
      const headers = { [API_KEY_HEADER]: secret }
      const isStream = path.startsWith(CHANGES_PATH)
      const sent = get(url + path, { headers, agent: isStream ? false : agent })
      const [response] = (await once(sent, 'response')) as [IncomingMessage]
      // The streams are cut at the end.
      sent.on('error', () => {})
      return response
    }
    const load = async (wallet: string) => {
      const response = await request(`/v1/evm/balances/${wallet}`)
      response.resume()
      await once(response, 'end')
      return Number(String(response.headers['x-block-numbers']).split('=')[1])
    }
    const timeOf = (block: number) => committedAt[block - seeded.head.number - 1]
    const [events, snapshots, polled]: number[][] = [[], [], []]
    let [pushedUnits, polledUnits] = [0, 0]
    const onEvent = async ({ block_number = 0, wallets = [] }: ChangesEvent) => {
      const startedAt = timeOf(block_number)
      if (startedAt === undefined || wallets.length === 0) {
        return
      }
      events!.push(performance.now() - startedAt)
      await Promise.all(
        wallets.map(async (wallet) => {
          pushedUnits++
          await load(wallet)
          snapshots!.push(performance.now() - startedAt)
        }),
      )
    }
    printProgress(`Push: opening ${connections} connections …`)
    const openedAt = performance.now()
    const streams: IncomingMessage[] = []
    for (let start = 0; start < connections; start += 50) {
      const opened = Array.from({ length: Math.min(50, connections - start) }, async (_, each) => {
        const first = (start + each) * walletsEach
        const wallets = Array.from({ length: walletsEach }, (__, index) => {
          return `${benchChainId}:${getWallet(first + index)}`
        })
        const stream = await request(`${CHANGES_PATH}?wallets=${wallets.join()}`)
        stream.setEncoding('utf8').on('data', (text: string) => {
          for (const [, data] of text.matchAll(/^data: (.*)$/gm)) {
            void onEvent(JSON.parse(data!) as ChangesEvent)
          }
        })
        streams.push(stream)
      })
      await Promise.all(opened)
    }
    const openMs = performance.now() - openedAt
    const { cpuSeconds } = processFigures(server.pid ?? 0)
    const stop = new AbortController()
    const moving = mover.run(activeWallets, blockMs, stop.signal)
    const polling = Array.from({ length: pollers }, async (_, index) => {
      await delay((index * pollMs) / pollers)
      let seen = seeded.head.number
      while (!stop.signal.aborted) {
        polledUnits++
        const block = await load(getWallet(index))
        for (let each = seen + 1; each <= block; each++) {
          polled!.push(performance.now() - (timeOf(each) ?? 0))
        }
        seen = block
        await delay(pollMs)
      }
    })
    await delay(1000 * seconds)
    stop.abort()
    const blocks = await moving
    await Promise.all(polling)
    const { peakMemory, cpuSeconds: cpuEnd } = processFigures(server.pid ?? 0)
    streams.forEach((stream) => stream.destroy())
    const walletCount = connections * walletsEach
    printFigure('push', {
      ...{ connections, wallets: walletCount, blocks },
      changed_wallets_per_block: activeWallets * 0.02,
      open_ms: Math.round(openMs),
      event_median_ms: quantile(events!, 0.5),
      event_p99_ms: quantile(events!, 0.99),
      snapshot_median_ms: quantile(snapshots!, 0.5),
      snapshot_p99_ms: quantile(snapshots!, 0.99),
      units_per_minute: Math.round((pushedUnits * 60) / seconds),
      polling_median_ms: quantile(polled!, 0.5),
      polling_p99_ms: quantile(polled!, 0.99),
      polling_units_per_minute: Math.round((polledUnits * 60 * walletCount) / seconds / pollers),
      cpu_share: rounded((cpuEnd - cpuSeconds) / seconds),
      peak_memory_mb: peakMemory,
      reach: `${reach.median}, ${reach.p99}`,
      ok: quantile(snapshots!, 0.5) <= reach.median && quantile(snapshots!, 0.99) <= reach.p99,
    })
  } finally {
    server.kill('SIGKILL')
    agent.destroy()
    node.stop()
    await store.close()
  }
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return Math.round(sorted[Math.floor(share * (sorted.length - 1))] ?? NaN)
}
