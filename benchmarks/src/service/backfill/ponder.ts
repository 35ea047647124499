import { cpSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { benchChainId } from '../history/startNode.ts'
import { peersFolder } from './installPeers.ts'
import type { Peer } from './Peer.ts'
import { runUntil } from './runUntil.ts'
import { sumAmounts } from './sumAmounts.ts'

/** Ponder: ERC20 balances only, with the rate limit of the node instead of its own. */
export const ponder: Peer = {
  name: 'ponder 0.16.10',
  stores: ['postgres', 'pglite'],
  async backfill({ rpcUrl, lastBlock, databaseUrl, folder, ...limits }) {
    cpSync(join(peersFolder, 'ponder'), folder, { recursive: true })
    symlinkSync(join(peersFolder, 'node_modules'), join(folder, 'node_modules'))
    const port = 42_000 + (process.pid % 10_000)
    const environment = {
      ...process.env,
      BENCH_RPC_URL: rpcUrl,
      BENCH_CHAIN_ID: String(limits.chainId ?? benchChainId),
      BENCH_LAST_BLOCK: String(lastBlock),
      BENCH_REQUESTS_PER_SECOND: String(limits.requestsPerSecond ?? 1e6),
      PONDER_TELEMETRY_DISABLED: 'true',
      ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
    }
    const cli = join(peersFolder, 'node_modules/ponder/dist/esm/bin/ponder.js')
    const args = ['start', '--schema', 'bench', '--port', String(port), '--log-level', 'warn']
    const run = await runUntil(
      [process.execPath, cli, ...args],
      { cwd: folder, env: environment, signal: limits.signal },
      async () => {
        for (; ; await delay(25)) {
          const response = await fetch(`http://127.0.0.1:${port}/ready`).catch(() => undefined)
          if (response?.status === 200) {
            return
          }
        }
      },
    )
    return {
      ...run,
      total: databaseUrl === undefined ? undefined : await sumAmounts(databaseUrl, 'bench.balance'),
    }
  },
}
