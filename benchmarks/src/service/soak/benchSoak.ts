import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { Agent, get, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { API_KEY_HEADER, CHANGES_PATH } from '@headwater/contract'
import { openStore } from '../../../../apps/service/src/store/openStore.ts'
import { printFigure, printProgress, rounded } from '../../printFigure.ts'
import { processFigures } from '../../processFigures.ts'
import { benchChainId } from '../history/startNode.ts'
import { configOf } from '../live/benchLive.ts'
import { getWallet, seedWallets } from '../live/seedWallets.ts'
import { seedStore } from '../responses/seedStore.ts'
import { startStateNode } from '../responses/startStateNode.ts'
import type { BenchPostgres } from '../startBenchPostgres.ts'
import { fitSlope } from './fitSlope.ts'

const blockMs = 250
/** Blocks change 2 % of these wallets, which are also requested and followed. */
const wallets = 1_000
const walletsPerStream = 5
const sampleMs = 5_000
const maxPending = 500

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
  { minutes, streams: streamCount, rate }: SoakOptions,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-soak-'))
  const location =
    kind === 'postgres'
      ? { databaseUrl: await postgres.createDatabase() }
      : { folder: join(folder, 'data') }
  printProgress(`Soak: filling a store on ${kind} …`)
  const opened = await openStore(location)
  const secret = await seedStore(opened, 1_000)
  await seedWallets(opened)
  await opened.close()
  const server = fork(new URL('../live/liveServer.ts', import.meta.url), {
    // As `npm start` and the program set it for the embedded database.
    ...(kind === 'pglite' && {
      execArgv: [...process.execArgv, '--max-semi-space-size=8', '--heap-growing-percent=30'],
    }),
    env: { ...process.env, MALLOC_ARENA_MAX: '2' },
  })
  const agent = new Agent({ keepAlive: true, maxSockets: 128 })
  const streams: IncomingMessage[] = []
  const failures = new Map<string, number>()
  const fail = (reason: string) => void failures.set(reason, (failures.get(reason) ?? 0) + 1)
  try {
    server.send({ location, config: configOf(nodeUrl) })
    const [{ url }] = (await once(server, 'message')) as [{ url: string }]
    const open = async (path: string, isStream = false): Promise<IncomingMessage> => {
      const headers = { [API_KEY_HEADER]: secret, 'Accept-Encoding': isStream ? '' : 'gzip' }
      const sent = get(url + path, { headers, agent: isStream ? false : agent })
      const [response] = (await once(sent, 'response')) as [IncomingMessage]
      // The streams are cut at the end.
      sent.on('error', () => {})
      return response
    }
    const events = new Map<string, number>()
    let isEnding = false
    printProgress(`Soak: opening ${streamCount} streams …`)
    for (let each = 0; each < streamCount; each++) {
      const followed = Array.from({ length: walletsPerStream }, (_, index) => {
        return `${benchChainId}:${getWallet((each * walletsPerStream + index) % wallets)}`
      })
      const stream = await open(`${CHANGES_PATH}?wallets=${followed.join()}`, true)
      if (stream.statusCode !== 200) {
        fail(`stream ${stream.statusCode}`)
      }
      stream.on('data', (chunk: Buffer) => {
        for (const [, type = ''] of chunk.toString().matchAll(/^event: (\w+)/gm)) {
          events.set(type, (events.get(type) ?? 0) + 1)
        }
      })
      stream.on('error', () => {})
      stream.on('close', () => !isEnding && fail('stream ended'))
      streams.push(stream)
    }
    server.send({ wallets, intervalMs: blockMs })
    const { cpuSeconds } = processFigures(server.pid ?? 0)
    const startedAt = performance.now()
    const samples: [minute: number, megabytes: number][] = []
    const sampling = setInterval(() => {
      samples.push([(performance.now() - startedAt) / 60_000, readResident(server.pid ?? 0)])
    }, sampleMs)
    let sent = 0
    let pending = 0
    let delayed = 0
    const request = async () => {
      pending++
      try {
        const wallet = getWallet(Math.floor(Math.random() * wallets))
        const response = await open(`/v1/evm/balances/${wallet}`)
        response.resume()
        await once(response, 'end')
        if (response.statusCode !== 200) {
          fail(`status ${response.statusCode}`)
        }
      } catch (error) {
        fail(String((error as { code?: string }).code ?? error))
      } finally {
        pending--
      }
    }
    printProgress(`Soak: ${minutes} minutes, ${rate} requests per second on ${kind} …`)
    for (let due = 0; performance.now() - startedAt < minutes * 60_000; await delay(10)) {
      for (; due * 1000 < (performance.now() - startedAt) * rate; due++) {
        if (pending < maxPending) {
          sent++
          void request()
        } else {
          delayed++
        }
      }
    }
    clearInterval(sampling)
    const cpuShare = (processFigures(server.pid ?? 0).cpuSeconds - cpuSeconds) / (minutes * 60)
    server.send({})
    const [{ commits, amounts }] = (await once(server, 'message')) as [
      { commits: object[]; amounts: [string, string][] },
    ]
    while (pending > 0) {
      await delay(50)
    }
    // The last block reaches the responses.
    await delay(3_000)
    isEnding = true
    streams.forEach((stream) => stream.destroy())
    const drift = await countDifferences(amounts, async (wallet) => {
      return await text(await open(`/v1/evm/balances/${wallet}?filters=erc20`, true))
    })
    const half = samples.filter(([minute]) => minute > minutes / 2)
    const failed = [...failures.values()].reduce((sum, each) => sum + each, 0)
    printFigure('soak', {
      store: kind,
      minutes,
      streams: streamCount,
      blocks: commits.length,
      requests_per_second: rounded(sent / (minutes * 60)),
      not_sent: delayed,
      events: Object.fromEntries(events),
      failures: Object.fromEntries(failures),
      compared_amounts: amounts.length,
      drift,
      cpu_share: rounded(cpuShare),
      memory_mb: {
        start: samples[0]?.[1],
        end: samples.at(-1)?.[1],
        peak: Math.max(...samples.map(([, mb]) => mb)),
      },
      slope_mb_per_minute: rounded(fitSlope(half)),
      ok: failed === 0 && drift === 0,
    })
  } finally {
    server.kill('SIGKILL')
    agent.destroy()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The number of amounts that differ from those that blocks wrote. */
async function countDifferences(
  changed: readonly (readonly [walletAndToken: string, amount: string])[],
  load: (wallet: string) => Promise<string>,
): Promise<number> {
  let differences = 0
  const byWallet = Map.groupBy(changed, ([key]) => key.split(' ')[0] ?? '')
  for (const [wallet, expected] of byWallet) {
    const body = JSON.parse(await load(wallet)) as {
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
