import { type ChildProcess, fork } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'
import { printFigure, rounded } from '../../printFigure.ts'
import { processFigures } from '../../processFigures.ts'
import { receive } from '../receive.ts'
import type { LoadMessage, LoadResult } from './loadProcess.ts'
import { getWallet, largeWallet } from './seedWallets.ts'

/** Blocks that change some of these wallets are committed meanwhile. */
const wallets = 300
const intervalMs = 250
/** Connections of a key that requests a wallet of 60,000 tokens, and those of another key. */
const connections = { heavy: 40, light: 4 }
/** Lengths of the pages: each connection another one, so that most are computed, or all the same, which is mostly cached. */
const heavyLimits = { different: Array.from({ length: 400 }, (_, index) => index + 1), same: [400] }
/** Target, as a ratio of 99th percentiles. */
const reach = 1.5

interface KeysOptions {
  readonly server: ChildProcess
  readonly indexer: ChildProcess
  readonly url: string
  readonly secret: string
  readonly heavySecret: string
  readonly seconds: number
}

/**
 * Measures a key alone, and beside one that requests pages of a large wallet. Each has a process that sends its requests. Those
 * of the first are also sent to a control server, which the large wallet delays only by the CPU time that all processes share.
 */
export async function measureKeys(options: KeysOptions, labels: object): Promise<void> {
  const { server, indexer, url, secret, heavySecret, seconds } = options
  const processes = [1, 2].map(() => fork(new URL('loadProcess.ts', import.meta.url)))
  const [lightProcess, heavyProcess] = processes as [ChildProcess, ChildProcess]
  const controlServer = fork(new URL('controlServer.ts', import.meta.url))
  try {
    const control = await receive<{ url: string }>(controlServer)
    const light = {
      url,
      secret,
      connections: connections.light,
      duration: seconds,
      paths: Array.from({ length: 2_000 }, () => {
        return `/v1/evm/balances/${getWallet(Math.floor(Math.random() * wallets))}`
      }),
    }
    indexer.send({ wallets, intervalMs })
    // All wallets are known, and the code is compiled.
    await load(lightProcess, { ...light, duration: 2 })
    const alone = await load(lightProcess, light)
    const controlAlone = await load(lightProcess, { ...light, ...control })
    for (const [pages, limits] of Object.entries(heavyLimits)) {
      const loading = load(heavyProcess, {
        url,
        secret: heavySecret,
        connections: connections.heavy,
        duration: 2 * seconds + 4,
        paths: limits.map((limit) => `/v1/evm/balances/${largeWallet}?limit=${limit}`),
      })
      await delay(2000)
      const { cpuSeconds } = processFigures(server.pid ?? 0)
      const beside = await load(lightProcess, light)
      const cpuShare = (processFigures(server.pid ?? 0).cpuSeconds - cpuSeconds) / seconds
      const controlBeside = await load(lightProcess, { ...light, ...control })
      const { rate } = await loading
      const ratio = beside.p99 / alone.p99
      printFigure('answers beside a heavy key', {
        ...labels,
        pages,
        connections: connections.light,
        heavy_connections: connections.heavy,
        alone_p50_ms: rounded(alone.p50),
        alone_p99_ms: rounded(alone.p99),
        alone_per_second: rounded(alone.rate),
        beside_p50_ms: rounded(beside.p50),
        beside_p99_ms: rounded(beside.p99),
        beside_per_second: rounded(beside.rate),
        heavy_per_second: rounded(rate),
        control_alone_p99_ms: rounded(controlAlone.p99),
        control_beside_p99_ms: rounded(controlBeside.p99),
        cpu_share: rounded(cpuShare),
        reach: [
          {
            target: `99th percentile at most ${reach} times that of the key alone`,
            value: rounded(ratio),
            reached: ratio <= reach,
          },
        ],
      })
    }
    await receive(indexer, {})
  } finally {
    for (const child of [...processes, controlServer]) {
      child.kill()
    }
  }
}

async function load(child: ChildProcess, message: LoadMessage): Promise<LoadResult> {
  const result = await receive<LoadResult>(child, message)
  if (result.failed > 0) {
    throw new Error(`${result.failed} requests failed`)
  }
  return result
}
