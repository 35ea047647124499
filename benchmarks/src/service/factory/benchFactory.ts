import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import {
  startSyntheticNode,
  type SyntheticNode,
} from '../../../../apps/devnet/src/synthetic/startSyntheticNode.ts'
import { SyntheticBlocks } from '../../../../apps/devnet/src/synthetic/SyntheticBlocks.ts'
import type { SyntheticChain } from '../../../../apps/devnet/src/synthetic/SyntheticChain.ts'
import { printFigure, printProgress, rounded } from '../../printFigure.ts'
import { buildService, serviceMain } from '../backfill/headwater.ts'
import { ServiceRun } from '../firstResponse/ServiceRun.ts'
import { benchChainId } from '../history/startNode.ts'
import type { BenchPostgres } from '../startBenchPostgres.ts'
import {
  createFactoryConfig,
  finalityDepth,
  openFactoryChain,
  pricedTokens,
} from './openFactoryChain.ts'

/** The default of `facts`. */
const blocksPerChunk = 10_000
const pollMs = 50

/**
 * Adds a factory to a chain that is indexed with facts, and measures the time and the requests until its tokens have prices,
 * beside indexing the chain with both factories: from these facts, and from the node. All must end with equal pools.
 */
export async function benchFactory(postgres: BenchPostgres): Promise<void> {
  const transfers = Number(process.env['FACTORY_TRANSFERS'] ?? 5_000_000)
  const folder = mkdtempSync(join(tmpdir(), 'headwater-factory-'))
  printProgress('Creating the chain …')
  buildService()
  const chain = openFactoryChain(transfers)
  const node = await startSyntheticNode(chain)
  const reads = watchReads(node, chain)
  const facts = join(folder, 'facts')
  const run = async (progress: string, factories: 1 | 2, databaseUrl: string) => {
    printProgress(`${progress} …`)
    const chains = [createFactoryConfig(node.url, factories)]
    const config = { databaseUrl, facts: { folder: facts }, chains }
    writeFileSync(join(folder, 'headwater.config.json'), JSON.stringify(config))
    reads.clear()
    const seconds = await runUntilPriced(folder, pricedTokens[factories])
    return { seconds, databaseUrl, reads: reads.count() }
  }
  try {
    const { createDatabase } = postgres
    const first = await run('Indexing with one factory', 1, await createDatabase())
    const added = await run('Adding a factory', 2, first.databaseUrl)
    const derived = await run('Indexing with both from the facts', 2, await createDatabase())
    rmSync(facts, { recursive: true })
    const fresh = await run('Indexing with both from the node', 2, await createDatabase())
    const rows = await Promise.all(
      [added, derived, fresh].map(({ databaseUrl }) => describePools(databaseUrl)),
    )
    const isEqual = new Set(rows.map(({ digest }) => digest)).size === 1
    printFigure('factory', {
      transfers,
      blocks: chain.head,
      ...rows[0],
      is_equal: isEqual,
      seconds: rounded(added.seconds),
      ...added.reads,
      ok: isEqual && added.reads.blocks_with_facts === 0,
    })
    for (const [history, { seconds, reads }] of Object.entries({ facts: derived, node: fresh })) {
      const times = rounded(seconds / added.seconds)
      printFigure('factory beside', { history, seconds: rounded(seconds), ...reads, times })
    }
  } finally {
    await node.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** @returns the seconds from the start of the service until so many tokens of the wallet have a price. */
async function runUntilPriced(folder: string, tokens: number): Promise<number> {
  const service = { main: serviceMain, home: folder }
  const create = [serviceMain, 'keys', 'create', '--name', 'bench']
  const [key] =
    /hw_[\w-]+/.exec(execFileSync(process.execPath, create, { cwd: folder }).toString()) ?? []
  const run = new ServiceRun(service, ['start'], folder, key)
  try {
    while ((await run.requestBalances(benchChainId))?.priced !== tokens) {
      await delay(pollMs)
    }
    return run.seconds
  } catch (error) {
    process.stderr.write(run.output.slice(-4000))
    throw error
  } finally {
    await run.stop()
  }
}

/** Counts the requests of a node, and the blocks whose logs are read: those with facts, and the final ones after them. */
function watchReads(node: SyntheticNode, chain: SyntheticChain) {
  const blocks = new SyntheticBlocks(chain)
  const numbers = new Map<unknown, number>()
  for (let number = 0; number <= chain.head; number++) {
    numbers.set(blocks.hashOf(number), number)
  }
  const final = chain.head - finalityDepth
  const lastWithFacts = final - ((final + 1) % blocksPerChunk)
  const read = new Set<number>()
  const toNumber = (block: unknown) => numbers.get(block) ?? Number(block)
  node.onRequest = (method, [parameter]) => {
    if (method === 'eth_getBlockReceipts') {
      read.add(toNumber(parameter))
    } else if (method === 'eth_getLogs') {
      const { blockHash, fromBlock, toBlock } = parameter as Record<string, string>
      const last = toNumber(blockHash ?? toBlock)
      for (let number = toNumber(blockHash ?? fromBlock); number <= last; number++) {
        read.add(number)
      }
    }
  }
  return {
    clear() {
      node.requests.clear()
      read.clear()
    },
    count: () => ({
      requests: Object.fromEntries(node.requests),
      blocks_with_facts: [...read].filter((number) => number <= lastWithFacts).length,
      final_blocks_after_facts: [...read].filter(
        (number) => number > lastWithFacts && number <= final,
      ).length,
    }),
  }
}

/** The number of pools and of their states, and a digest of all of them. */
async function describePools(connectionString: string) {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    const { rows } = await client.query<{ pools: number; states: number; digest: string }>(`
      select count(distinct pool)::int as pools, count(*)::int as states,
        md5(string_agg(concat_ws(' ', pool, block_number, reserve0, reserve1), ',' order by pool, block_number)) as digest
      from pool_states`)
    return rows[0]!
  } finally {
    await client.end()
  }
}
