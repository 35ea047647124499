import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { seededRandom } from '@headwater/devnet'
import { openStore } from '../../src/store/openStore.ts'
import { deleteChain } from '../../src/store/partitions.ts'
import { openSharedStore } from '../describeEachStore.ts'
import { dumpTables } from '../dumpTables.ts'
import { indexTestChain } from '../indexTestChain.ts'
import { startImport } from '../startImport.ts'
import { startServiceProcess } from '../startServiceProcess.ts'
import { worldSeeds } from './worldSeeds.ts'

const kills = 3
// Processes are slow to start: none, unless they are requested.
const isRequested = Boolean(process.env['WORLD_SEEDS'] ?? process.env['WORLD_SEED'])

it.runIf(isRequested).each(worldSeeds)(
  'has the tables of indexing in bulk and block by block after an import was killed, WORLD_SEED=%s',
  { timeout: 300_000 },
  async (seed) => {
    const shared = await openSharedStore('pglite')
    const { chain, config, folder } = await startImport(shared, Number(seed))
    const bulk = await dumpTables(shared)
    await deleteChain(shared.db, 1)
    const incremental = indexTestChain(shared, config)
    await incremental.reaches(chain.head.hash)
    await incremental.stop()
    expect(await dumpTables(shared)).toEqual(bulk)

    const root = mkdtempSync(join(tmpdir(), 'headwater-import-kills-'))
    onTestFinished(() => rmSync(root, { recursive: true }))
    const configFile = join(root, 'headwater.config.json')
    const data = join(root, 'data')
    const { nativeAliases: _, ...rest } = config
    writeFileSync(configFile, JSON.stringify({ chains: [rest] }))
    const start = () =>
      startServiceProcess(
        ['chain', 'import', '--chain', '1', '--from', folder, '--sample', '5'].concat(
          ...['--config', configFile, '--data', data],
        ),
        { TMPDIR: root },
        false,
      )
    const random = seededRandom(`${seed} import`)
    let killed = 0
    for (let count = 0; count < kills; count++) {
      const attempt = start()
      // While it verifies first, then also while it loads.
      const lines = count === 0 ? random.integer(1, 14) : random.integer(15, 36)
      const hasLines = async () => {
        while (attempt.printed.stderr.split('\n').length <= lines) {
          await delay(1)
        }
      }
      await Promise.race([hasLines(), attempt.ended])
      killed += Number((await attempt.kill('SIGKILL')) === 'SIGKILL')
    }
    const last = start()
    const code = await last.ended
    // An attempt that ended before it was killed has imported all.
    expect(`${code} ${last.printed.stderr}`).toMatch(/^0 |Chain 1 is indexed up to block 63/)
    expect(killed).toBeGreaterThan(0)

    const store = await openStore({ folder: data })
    try {
      const holds = await store.db.selectFrom('indexers').select('hold').execute()
      expect(holds).toEqual([{ hold: null }])
      const indexer = indexTestChain(store, config)
      await indexer.reaches(chain.head.hash)
      await indexer.stop()
      expect(await dumpTables(store)).toEqual(bulk)
    } finally {
      await store.close()
    }
  },
)
