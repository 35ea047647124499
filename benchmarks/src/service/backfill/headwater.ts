import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { openStore } from '../../../../apps/service/src/store/openStore.ts'
import { benchChainConfig } from './benchChainConfig.ts'
import type { Backfill, Peer, Task } from './Peer.ts'
import { runUntil } from './runUntil.ts'

const root = fileURLToPath(new URL('../../../..', import.meta.url))
/** The program of the compiled service. */
export const serviceMain = join(root, 'apps/service/dist/main.js')

/** Headwater with all features: NFTs, holder history, pools, sales, undo, audit. */
export const headwater: Peer = {
  name: 'headwater',
  stores: ['postgres', 'pglite'],
  backfill: (options) => backfillHeadwater(options),
}

/**
 * Indexes the history of a node with Headwater as it is published: compiled, like the peers.
 *
 * @param chain - settings of the chain that differ from those of the benchmark.
 * @param nodeOptions - further options of Node.
 */
export async function backfillHeadwater(
  { rpcUrl, databaseUrl, folder }: Task,
  chain: object = {},
  nodeOptions: readonly string[] = [],
): Promise<Backfill> {
  buildService()
  const config = join(folder, 'headwater.config.json')
  writeFileSync(
    config,
    JSON.stringify({
      port: 0,
      ...(databaseUrl && { databaseUrl }),
      dataFolder: 'data',
      chains: [{ ...benchChainConfig(rpcUrl), ...chain }],
    }),
  )
  const run = await runUntil(
    [process.execPath, ...nodeOptions, serviceMain, 'start', '--config', config],
    {
      cwd: folder,
      env: { ...process.env, DATABASE_URL: '', NODE_ENV: 'production', LOG_LEVEL: 'warn' },
      ipc: true,
    },
    async (child) => {
      for (;;) {
        const [message] = (await once(child, 'message')) as [{ type: string }]
        if (message.type === 'ready') {
          return
        }
      }
    },
  )
  const location = databaseUrl ? { databaseUrl } : { folder: join(folder, 'data') }
  const store = await openStore(location)
  try {
    const { rows } = await sql<{ total: string }>`
        select coalesce(sum(amount), 0) as total from balances where token > 0`.execute(store.db)
    return { ...run, total: BigInt(rows[0]?.total ?? 0) }
  } finally {
    await store.close()
  }
}

/** Compiles the service, unless its sources are the same as before. */
export function buildService(): void {
  const options = ['--filter=@headwater/service', '--output-logs=errors-only']
  execFileSync('turbo', ['run', 'build', ...options], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}
