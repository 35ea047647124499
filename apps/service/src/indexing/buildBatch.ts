import type { BlockHeader } from '../rpc/BlockHeader.ts'
import type { Log } from '../rpc/Log.ts'
import type { BalanceChange, Batch } from './Batch.ts'
import { decodeLog, type Scope, zeroAddress } from './decodeLog.ts'
import { topics } from './topics.ts'

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

  let previous: Log | undefined
  for (const log of logs) {
    const fact = decodeLog(log, scope)
    const block = log.blockNumber
    const isTold = previous !== undefined && tellsSame(previous, log, scope)
    previous = log
    if (isTold) continue
    if (fact?.kind === 'transfer') {
      add(block, fact.from, fact.token, -fact.amount)
      add(block, fact.to, fact.token, fact.amount)
    } else if (fact?.kind === 'pool') {
      if (!knownPools.has(fact.address) && !pools.has(fact.address))
        pools.set(fact.address, { ...fact, block })
      see(fact.token0, block)
      see(fact.token1, block)
    } else if (fact && (knownPools.has(fact.pool) || pools.has(fact.pool))) {
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

/**
 * Whether a log is the Deposit or Withdrawal of what the one before it told as a Transfer: some wrapped native assets,
 * unlike WETH9, write both for one movement.
 */
function tellsSame(before: Log, log: Log, scope: Scope): boolean {
  if (log.topics[0] !== topics.deposit && log.topics[0] !== topics.withdrawal) return false
  if (before.topics[0] !== topics.transfer || before.address !== log.address) return false
  if (before.blockNumber !== log.blockNumber || before.logIndex + 1 !== log.logIndex) return false
  if (before.transactionIndex !== log.transactionIndex) return false
  const [told, fact] = [decodeLog(before, scope), decodeLog(log, scope)]
  if (told?.kind !== 'transfer' || fact?.kind !== 'transfer') return false
  return told.from === fact.from && told.to === fact.to && told.amount === fact.amount
}
