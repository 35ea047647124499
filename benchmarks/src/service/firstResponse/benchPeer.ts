import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { startSyntheticNode } from '../../../../apps/devnet/src/synthetic/startSyntheticNode.ts'
import type { SyntheticChain } from '../../../../apps/devnet/src/synthetic/SyntheticChain.ts'
import { printFigure, rounded } from '../../printFigure.ts'
import type { Peer } from '../backfill/Peer.ts'
import type { BenchPostgres } from '../startBenchPostgres.ts'
import { hostedChainId, hostedLimits } from './openHostedChain.ts'

/**
 * Measures how long a peer takes until it has the balances of a wallet, which is when it has indexed the chain. After some
 * seconds it is stopped, and the share of the blocks that it has fetched is extrapolated.
 */
export async function benchPeer(
  peer: Peer,
  chain: SyntheticChain,
  postgres: BenchPostgres,
  maxSeconds: number,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-bench-'))
  const node = await startSyntheticNode(chain, { ...hostedLimits })
  const blocks = new Set<number>()
  node.onRequest = (method, [number]) => {
    if (method === 'eth_getBlockByNumber' && String(number).startsWith('0x')) {
      blocks.add(Number(number))
    }
  }
  const stop = new AbortController()
  const startedAt = performance.now()
  const lastBlock = chain.head
  const run = peer
    .backfill({
      rpcUrl: node.url,
      chainId: hostedChainId,
      lastBlock,
      folder,
      signal: stop.signal,
      databaseUrl: await postgres.createDatabase(),
      requestsPerSecond: hostedLimits.requestsPerSecond,
    })
    .then(() => true)
  run.catch(() => {})
  try {
    const isComplete = await Promise.race([
      run,
      delay(maxSeconds * 1000, false, { signal: stop.signal }),
    ])
    const seconds = (performance.now() - startedAt) / 1000
    const requests = [...node.requests.values()].reduce((sum, each) => sum + each, 0)
    const share = isComplete ? 1 : blocks.size / (lastBlock + 1)
    printFigure('first-answer', {
      indexer: peer.name,
      response: 'complete',
      is_extrapolated: !isComplete,
      measured_seconds: rounded(seconds),
      measured_requests: requests,
      share_of_blocks: rounded(share),
      rejected: node.rejected(),
      seconds: share > 0 ? rounded(seconds / share) : null,
      requests: share > 0 ? Math.round(requests / share) : null,
      by_method: Object.fromEntries(node.requests),
    })
  } finally {
    stop.abort()
    await run.catch(() => {})
    await node.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}
