import type { Kysely } from 'kysely'
import type { Scope } from '../../indexing/decode/Scope.ts'
import type { ChainNode } from '../../rpc/ChainNode.ts'
import type { FoundLog } from '../../rpc/methods/requestLogs.ts'
import type { Database } from '../../store/Database.ts'
import type { FinalBlock } from '../FinalBlock.ts'
import type { RunStep } from './auditHolders.ts'
import { findDepositors, foldTransfers, getHolderTopics } from './foldTransfers.ts'
import type { TokenKey } from './holderRows.ts'
import { advanceScan, extendScan, type HolderScan } from './scanRows.ts'

interface BlockSearch {
  readonly key: TokenKey
  readonly db: Kysely<Database>
  readonly node: Pick<ChainNode, 'getHead' | 'getContractLogs'>
  readonly scope: Scope
  /** The first block of the chain that counts. */
  readonly startBlock: number
  readonly finalBlock: Pick<FinalBlock, 'getNumber'>
  /** The process that reserves the token. */
  readonly process: string
  readonly runStep: RunStep
  /** Whether it is the turn of another token after this step. */
  readonly isOtherWaiting: () => boolean
  readonly signal: AbortSignal
}

/** The blocks of the first step before those that were searched. Their number follows what the node accepts at once. */
const firstEarlierBlocks = 2_000

/**
 * Searches the blocks before the first one that was searched, if `startBlock` was lowered since: the newest first, so that
 * the blocks that were searched remain one range.
 *
 * @returns whether all were searched; false if another process continues, the search pauses, or the token was deleted.
 */
export async function searchEarlierBlocks(
  search: BlockSearch,
  { startBlock, standard }: HolderScan,
): Promise<boolean> {
  const { key, db, scope, process, runStep } = search
  let blocks = firstEarlierBlocks
  let secondsLeft: number | undefined
  const startedAt = performance.now()
  for (let first = startBlock; first > search.startBlock;) {
    const from = first
    const to = Math.max(search.startBlock, first - blocks)
    const isWritten = await runStep(async () => {
      const { logs, requests } = await fetchAll(search, to, from - 1)
      blocks = requests === 1 ? 2 * blocks : Math.max(1, blocks >> 1)
      secondsLeft = estimate(startedAt, (startBlock - to) / (startBlock - search.startBlock))
      const changes = foldTransfers(logs, standard, scope)
      return await extendScan(db, key, { process, from, to, secondsLeft, changes })
    })
    if (!isWritten) {
      return false
    }
    first = to
  }
  return true
}

async function fetchAll({ key, node, scope, signal }: BlockSearch, first: number, to: number) {
  const filter = { address: key.token, topics: getHolderTopics(scope) }
  const logs: (readonly FoundLog[])[] = []
  for (let from = first; from <= to;) {
    const found = await node.getContractLogs(filter, { from, to }, { signal, priority: 'search' })
    logs.push(found.logs)
    from = found.to + 1
  }
  return { logs: logs.flat(), requests: logs.length }
}

/**
 * Searches the final blocks after those that were searched.
 *
 * @returns the accounts that deposited in them, once all were searched; undefined if another process continues, the search
 *   pauses, or the token was deleted.
 */
export async function searchLaterBlocks(
  search: BlockSearch,
  { scannedBlock: start, standard }: HolderScan,
): Promise<{ readonly depositors: ReadonlySet<string> } | undefined> {
  const { key, db, node, scope, process, runStep, isOtherWaiting, signal } = search
  const startedAt = performance.now()
  const depositors = new Set<string>()
  const filter = { address: key.token, topics: getHolderTopics(scope) }
  const fetch = (after: number, to: number) =>
    node.getContractLogs(filter, { from: after + 1, to }, { signal, priority: 'search' })
  let next: ReturnType<typeof fetch> | undefined
  const searchStep = async (from: number, targetBlock: number) => {
    const fetching = next ?? fetch(from, targetBlock)
    next = undefined
    const { logs, to } = await fetching
    if (to < targetBlock && !isOtherWaiting()) {
      // While these are written, unless it is the turn of another token.
      next = fetch(to, targetBlock)
      next.catch(() => {})
    }
    const secondsLeft = estimate(startedAt, (to - start) / (targetBlock - start))
    const changes = foldTransfers(logs, standard, scope)
    const found = findDepositors(changes)
    for (const depositor of found) {
      depositors.add(depositor)
    }
    const step = { process, from, to, targetBlock, secondsLeft, changes }
    return (await advanceScan(db, key, { ...step, areDoubtful: found.length > 0 })) ? to : undefined
  }
  for (let from: number | undefined = start; ;) {
    const head = await node.getHead(signal)
    const targetBlock = search.finalBlock.getNumber(head.number)
    if (from >= targetBlock) {
      return { depositors }
    }
    while (from < targetBlock) {
      const after: number = from
      from = await runStep(() => searchStep(after, targetBlock))
      if (from === undefined) {
        return undefined
      }
    }
  }
}

/** Seconds until the end at the rate since the start. */
function estimate(startedAt: number, share: number): number {
  return Math.ceil(((performance.now() - startedAt) / 1000) * (1 / share - 1))
}
