import type { BlockHeader } from '../rpc/BlockHeader.ts'
import type { Log } from '../rpc/Log.ts'
import type { BalanceChange, Batch } from './Batch.ts'
import { decodeLog } from './decodeLog.ts'
import type { Scope } from './Scope.ts'
import { zeroAddress } from './words.ts'

/**
 * Folds the logs of a run of blocks into rows.
 *
 * Changes are netted within a block and no further, so that the same chain gives the same rows however its blocks are
 * cut into batches.
 *
 * @param logs in the chain's order.
 * @param knownPools pools of earlier blocks.
 */
export function buildBatch(
  blocks: readonly BlockHeader[],
  logs: readonly Log[],
  scope: Scope,
  knownPools: ReadonlySet<string>,
): Batch {
  const deltas = new Map<string, { block: number; holder: string; token: string; delta: bigint }>()
  const tokens = new Map<string, number>()
  const pools = new Map<string, Batch['pools'][number]>()
  const poolStates = new Map<string, Batch['poolStates'][number]>()

  const add = (block: number, holder: string, token: string, delta: bigint) => {
    if (holder === zeroAddress) return
    const key = `${block}${holder}${token}`
    const entry = deltas.get(key)
    if (entry) entry.delta += delta
    else deltas.set(key, { block, holder, token, delta })
  }
  const see = (token: string, block: number) => {
    if (block < (tokens.get(token) ?? Infinity)) tokens.set(token, block)
  }

  for (const log of logs) {
    const fact = decodeLog(log, scope)
    const block = log.blockNumber
    if (fact?.kind === 'transfer') {
      add(block, fact.from, fact.token, -fact.amount)
      add(block, fact.to, fact.token, fact.amount)
    } else if (fact?.kind === 'pool') {
      if (!knownPools.has(fact.address) && !pools.has(fact.address))
        pools.set(fact.address, { ...fact, block })
      see(fact.token0, block)
      see(fact.token1, block)
    } else if (fact?.kind === 'reserves' && (knownPools.has(fact.pool) || pools.has(fact.pool))) {
      const { pool, reserve0, reserve1 } = fact
      poolStates.set(`${block}${pool}`, { pool, block, reserve0, reserve1 })
    }
  }

  const changes: BalanceChange[] = []
  for (const change of deltas.values()) {
    if (change.delta === 0n) continue
    changes.push(change)
    // A token that moves nothing is nobody's balance; its name need not be asked for.
    see(change.token, change.block)
  }
  return {
    blocks,
    changes,
    tokens,
    pools: [...pools.values()],
    poolStates: [...poolStates.values()],
  }
}
