import { join } from 'node:path'
import { peersFolder } from './installPeers.ts'
import type { Peer } from './Peer.ts'
import { runUntil } from './runUntil.ts'
import { sumAmounts } from './sumAmounts.ts'

/** Subsquid's evm-processor: ERC20 balances only, one statement per batch. */
export const subsquid: Peer = {
  name: 'subsquid evm-processor 1.27.3',
  stores: ['postgres'],
  async backfill({ rpcUrl, lastBlock, databaseUrl, folder, requestsPerSecond, signal }) {
    const run = await runUntil([process.execPath, join(peersFolder, 'subsquid/main.mjs')], {
      cwd: folder,
      signal,
      env: {
        ...process.env,
        BENCH_RPC_URL: rpcUrl,
        BENCH_LAST_BLOCK: String(lastBlock),
        DATABASE_URL: databaseUrl,
        ...(requestsPerSecond && { BENCH_REQUESTS_PER_SECOND: String(requestsPerSecond) }),
        SQD_WARN: '*',
      },
    })
    return { ...run, total: await sumAmounts(databaseUrl!, 'balance') }
  },
}
