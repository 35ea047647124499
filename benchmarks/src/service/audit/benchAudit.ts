import { sql } from 'kysely'
import { pino } from 'pino'
import {
  auditLedger,
  createLedgerAuditState,
} from '../../../../apps/service/src/audit/auditLedger.ts'
import { parseConfig } from '../../../../apps/service/src/config/parseConfig.ts'
import { ChainNode } from '../../../../apps/service/src/rpc/ChainNode.ts'
import { fromHex } from '../../../../apps/service/src/store/hex.ts'
import { openStore } from '../../../../apps/service/src/store/openStore.ts'
import { indexTestChain } from '../../../../apps/service/test/indexTestChain.ts'
import { printFigure, printProgress, rounded } from '../../printFigure.ts'
import { benchChainConfig } from '../backfill/benchChainConfig.ts'
import { benchChainId } from '../history/startNode.ts'
import type { BenchPostgres } from '../startBenchPostgres.ts'
import { type AuditWorld, type Deviation, startAuditWorld } from './startAuditWorld.ts'

const worlds = [
  ...[100, 1_000, 10_000].map((tokens) => ({ tokens, items: 0 })),
  ...[1_000, 10_000, 100_000].map((items) => ({ tokens: 0, items })),
]
/** The calls of a round at the default rate, and at the maximum. */
const budgets = { default: 25, max: 400 }
const defaultCallsPerMinute = 300
const trials = 3

/**
 * Measures the audit against the number of tokens and NFTs: the cost of comparing all amounts once, and the number of
 * calls until a deviation is found, at the pace of the default rate. The time at a rate follows from the calls, as the
 * auditor waits for each.
 */
export async function benchAudit(postgres: BenchPostgres): Promise<void> {
  for (const size of worlds) {
    printProgress(`Audit of ${size.tokens} tokens and ${size.items} NFTs …`)
    const world = await startAuditWorld(size)
    try {
      await measure(size, world, await postgres.createDatabase())
    } finally {
      await world.node.stop()
    }
  }
}

async function measure(
  { tokens, items }: (typeof worlds)[number],
  world: AuditWorld,
  databaseUrl: string,
): Promise<void> {
  const file = JSON.stringify({
    chains: [{ ...benchChainConfig(world.node.url), pollIntervalMs: 10 }],
  })
  const [chain] = parseConfig(file, 'bench').chains
  if (!chain) {
    throw new Error('The configuration has no chain')
  }
  const store = await openStore({ databaseUrl })
  const { db } = store
  const indexer = indexTestChain(store, chain)
  const node = new ChainNode(chain.rpcUrls)
  const state = createLedgerAuditState()
  const options = { db, node, chainId: benchChainId, logger: pino({ level: 'silent' }) }
  /** Audits until something is found, by default until there is nothing to do, and returns the number of calls. */
  const audit = async (budget: number, isFound?: () => Promise<boolean>) => {
    for (let calls = 0; ;) {
      const round = await auditLedger(options, state, budget)
      calls += round.calls
      if (isFound ? await isFound() : round.isDone) {
        return calls
      }
      if (round.isDone) {
        // The next turn of a token is at a later block.
        await world.mineEmptyBlock()
        await indexer.reaches(await world.headHash())
      }
    }
  }
  const isFound = async (token: string | undefined, id: number, owner: string) => {
    const { rows } = await sql<{ found: boolean }>`
      select ${
        token === undefined
          ? sql`owner = ${fromHex(owner)} from collectibles where token_id = ${id}::numeric`
          : sql`amounts_from = 'chain' from tokens where address = ${fromHex(token)}`
      }`.execute(db)
    return Object.values(rows[0] ?? {})[0] === true
  }
  const detect = async (deviation: Deviation) => {
    const index = Math.floor(Math.random() * (tokens || items))
    const token = tokens > 0 ? await world.deviateToken(deviation, index) : undefined
    const owner = deviation === 'change' ? world.sender : await world.ownerOf(index)
    if (token === undefined) {
      await world.deviateItem(deviation, index)
    }
    await indexer.reaches(await world.headHash())
    // Larger rounds save time where many are needed, and change the number of calls by at most two rounds.
    const size = deviation === 'change' ? (tokens + items) / 50 : 0
    const budget = Math.min(budgets.max, Math.max(budgets.default, size))
    return await audit(budget, () => isFound(token, index, owner))
  }
  try {
    await indexer.reaches(await world.headHash())
    const requestsBefore = countRequests(node)
    const cpuBefore = process.cpuUsage()
    const startedAt = Date.now()
    const calls = await audit(budgets.max)
    const cpu = process.cpuUsage(cpuBefore)
    const rotation = {
      calls,
      requests: countRequests(node) - requestsBefore,
      seconds: rounded((Date.now() - startedAt) / 1000),
      cpu_seconds: rounded((cpu.user + cpu.system) / 1e6),
      minutes_at_default: rounded(calls / defaultCallsPerMinute),
    }
    const found: Record<Deviation, number[]> = { change: [], lie: [] }
    for (let trial = 0; trial < trials; trial++) {
      for (const deviation of ['lie', 'change'] as const) {
        printProgress(`  ${deviation}, trial ${trial + 1} of ${trials} …`)
        found[deviation].push(await detect(deviation))
      }
    }
    const minutes = (values: readonly number[]) =>
      values.map((value) => rounded(value / defaultCallsPerMinute)).sort((a, b) => a - b)
    printFigure('audit', {
      tokens,
      items,
      ...rotation,
      minutes_to_find_a_silent_change: minutes(found.change),
      minutes_to_find_a_false_log: minutes(found.lie),
    })
  } finally {
    await indexer.stop()
    await store.close()
  }
}

function countRequests(node: ChainNode): number {
  return node.stats().reduce((sum, { roundTrips }) => sum + roundTrips, 0)
}
