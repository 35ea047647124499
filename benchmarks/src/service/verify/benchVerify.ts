import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { printFigure, printProgress, rounded } from '../../printFigure.ts'
import { backfillHeadwater } from '../backfill/headwater.ts'
import type { History } from '../history/openHistory.ts'
import type { BenchPostgres } from '../startBenchPostgres.ts'

const withoutChecks = new URL('withoutChecks.ts', import.meta.url).href
/** The first one is what the others are compared with. */
const variants = [
  { verify: 'none', nodeOptions: ['--import', withoutChecks], chain: { verify: 'basic' } },
  { verify: 'basic', chain: { verify: 'basic' } },
  { verify: 'head', chain: { verify: 'head' }, atMost: 1.05 },
  { verify: 'receipts', chain: { verify: 'receipts' } },
] as const
const turns = 3

/**
 * Compares backfills by what they verify, in turns, so that the speed of the machine affects all of them; the fastest turn
 * counts. `none` compares nothing, `head` is the default.
 */
export async function benchVerify(history: History, postgres: BenchPostgres): Promise<void> {
  const fastest = new Map<string, { seconds: number; cpuSeconds: number }>()
  for (let turn = 1; turn <= turns; turn++) {
    for (const { verify, chain, ...variant } of variants) {
      printProgress(`Backfill with verify ${verify}, turn ${turn} of ${turns} …`)
      const nodeOptions = 'nodeOptions' in variant ? variant.nodeOptions : []
      const folder = mkdtempSync(join(tmpdir(), 'headwater-bench-'))
      try {
        const { seconds, cpuSeconds } = await backfillHeadwater(
          {
            rpcUrl: history.node.url,
            lastBlock: history.lastBlock,
            databaseUrl: await postgres.createDatabase(),
            folder,
          },
          chain,
          nodeOptions,
        )
        const before = fastest.get(verify)
        fastest.set(verify, {
          seconds: Math.min(seconds, before?.seconds ?? Infinity),
          cpuSeconds: Math.min(cpuSeconds, before?.cpuSeconds ?? Infinity),
        })
      } finally {
        rmSync(folder, { recursive: true, force: true })
      }
    }
  }
  const none = fastest.get('none')
  for (const { verify, ...variant } of variants) {
    const figures = fastest.get(verify)
    if (!none || !figures) {
      throw new Error(`verify ${verify} was not measured`)
    }
    const cpuTimes = figures.cpuSeconds / none.cpuSeconds
    printFigure('backfill with verification', {
      verify,
      transfers: history.transfers,
      blocks: history.lastBlock + 1,
      seconds: rounded(figures.seconds),
      cpu_seconds: rounded(figures.cpuSeconds),
      times: rounded(figures.seconds / none.seconds),
      cpu_times: rounded(cpuTimes),
      ...('atMost' in variant && { at_most: variant.atMost, ok: cpuTimes <= variant.atMost }),
    })
  }
}
