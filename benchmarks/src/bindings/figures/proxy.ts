import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import autocannon from 'autocannon'
import { createFakeService, type WalletName } from '@headwater/testing'
import type { Measured } from '../../checkTargets.ts'
import { processFigures } from '../../processFigures.ts'
import { median } from '../../quantile.ts'
import type { Figure } from '../Figure.ts'
import type { ProxyKind } from '../kit/proxyServer.ts'

const kinds: readonly ProxyKind[] = ['pass-through', 'headwater', 'headwater coalescing']
/** A response of a few kilobytes, and one of 1,000 rows. */
const wallets = { small: 'everyday', large: 'whale' } satisfies Record<string, WalletName>
const requests = { small: 4000, large: 400 }
const connections = 16

/** The CPU time of a proxy per request; the service responds from memory, in another process. */
export const figure: Figure = {
  title: 'CPU time of the proxy per request, in microseconds',
  async measure({ turns }) {
    const service = createFakeService()
    const paths: Record<string, string> = {}
    const bodies: Record<string, string> = {}
    for (const [size, name] of Object.entries(wallets)) {
      const path = `/v1/evm/balances/${service.wallet(name).address}?chain_ids=1`
      const headers = { 'X-Service-Api-Key': service.key }
      paths[size] = path
      bodies[path] = await (await service.fetch(service.url + path, { headers })).text()
    }
    const children: ChildProcess[] = []
    const start = async (module: string, message: object) => {
      const child = fork(new URL(module, import.meta.url), {
        execArgv: ['--conditions=@headwater/source'],
        env: { ...process.env, NODE_ENV: 'production' },
      })
      children.push(child)
      child.send(message)
      const [url] = (await once(child, 'message')) as [string]
      return { pid: child.pid!, url }
    }
    try {
      const { url: baseUrl } = await start('../../service/responses/memoryServer.ts', bodies)
      const proxies = await Promise.all(
        kinds.map((kind) => start('../kit/proxyServer.ts', { kind, baseUrl })),
      )
      const measured = kinds.map(() => ({ small: [] as number[], large: [] as number[] }))
      // The first turn warms up. The kinds take turns, so that other load affects all of them.
      for (let turn = 0; turn <= turns; turn++) {
        for (const [index, { pid, url }] of proxies.entries()) {
          for (const size of ['small', 'large'] as const) {
            const microseconds = await load(pid, url + paths[size]!, requests[size])
            if (turn > 0) {
              measured[index]![size].push(microseconds)
            }
          }
        }
      }
      const toMedians = ({ small, large }: (typeof measured)[number]): Measured => ({
        smallCpuMicroseconds: median(small),
        largeCpuMicroseconds: median(large),
      })
      return Object.fromEntries(kinds.map((kind, index) => [kind, toMedians(measured[index]!)]))
    } finally {
      children.forEach((child) => child.kill('SIGKILL'))
    }
  },
  reach: [
    {
      of: ['headwater', 'smallCpuMicroseconds'],
      atMost: 1.6,
      times: ['pass-through', 'smallCpuMicroseconds'],
    },
    {
      of: ['headwater', 'largeCpuMicroseconds'],
      atMost: 1.5,
      times: ['pass-through', 'largeCpuMicroseconds'],
    },
  ],
}

async function load(pid: number, url: string, amount: number): Promise<number> {
  const before = processFigures(pid).cpuSeconds
  const { errors, non2xx } = await autocannon({ url, amount, connections })
  if (errors + non2xx > 0) {
    throw new Error(`${errors + non2xx} requests to ${url} failed`)
  }
  return ((processFigures(pid).cpuSeconds - before) / amount) * 1e6
}
