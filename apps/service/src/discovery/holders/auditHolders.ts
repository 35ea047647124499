import { setTimeout as delay } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import type { ChainNode } from '../../rpc/ChainNode.ts'
import type { BlockRef } from '../../rpc/methods/BlockHeader.ts'
import { balanceOfCall, decodeWord } from '../../rpc/methods/Call.ts'
import type { Database } from '../../store/Database.ts'
import { uniqueBy } from '../../uniqueBy.ts'
import type { HolderChanges } from './foldTransfers.ts'
import {
  loadHolderBatch,
  loadHoldersByAddress,
  type ScannedHolder,
  type TokenKey,
  writeReadAmounts,
} from './holderRows.ts'
import type { RecentTransfers } from './RecentTransfers.ts'
import { type HolderScan, isSameScan, markAudited } from './scanRows.ts'

/** Holders of one round trip: about one `eth_call`. */
export const batchSize = 500
const wordBytes = 32
/** Differences may be due to a reorg between two requests: they count if the next comparison has them, too. */
const confirmations = 2
const confirmationMs = 500

/**
 * Runs a step of a search that reserves its token, once the steps of other tokens that wait have run.
 *
 * @returns undefined if another process searches the token, or it was deleted.
 */
export type RunStep = <Result>(
  step: (scan: HolderScan) => Promise<Result>,
) => Promise<Result | undefined>

/** The result of a batch: the holder after which the next batch continues, undefined after the last one. */
interface Batch {
  readonly scan: HolderScan
  /** The block of the amounts; undefined if one differs. */
  readonly block: number | undefined
  readonly last: string | undefined
}

/** The amounts of a round, all of one block. They are written at its end, so that a page never has those of two blocks. */
interface Reading {
  head: BlockRef | undefined
  readonly amounts: Map<string, bigint | undefined>
}

interface Audit {
  readonly key: TokenKey
  readonly db: Kysely<Database>
  readonly node: Pick<ChainNode, 'getHead' | 'multicall'>
  readonly recent: RecentTransfers
  /** The process that reserves the token. */
  readonly process: string
  /** Runs one batch with the reservation of the token. */
  readonly runStep: RunStep
  readonly signal: AbortSignal
}

/**
 * Compares the amounts of all holders with `balanceOf`. If one differs, as those of rebasing tokens do, all are read from
 * the contract, now and in later rounds.
 *
 * @returns the source of the amounts, and the oldest block at which they were compared, or the block of all; undefined if another
 *   process continues, or the token was deleted.
 */
export async function auditHolders(
  audit: Audit,
): Promise<
  { readonly amountsFrom: HolderScan['amountsFrom']; readonly block: number } | undefined
> {
  const reading: Reading = { head: undefined, amounts: new Map() }
  let block = Infinity
  let previous: Batch | undefined
  do {
    const { scan: expected, last }: Partial<Batch> = previous ?? {}
    const batch: Batch | undefined = await audit.runStep(async (scan) =>
      // Amounts with transfers that another process added meanwhile cannot be compared.
      !expected || isSameScan(scan, expected)
        ? await auditBatch(audit, scan, last, reading)
        : undefined,
    )
    if (!batch) {
      return undefined
    }
    if (batch.block === undefined) {
      return await auditHolders(audit)
    }
    block = Math.min(block, batch.block)
    previous = batch
  } while (previous.last !== undefined)
  return { amountsFrom: previous.scan.amountsFrom, block }
}

/**
 * Compares the amounts of some holders with `balanceOf`, and marks the token as verified if they are equal: the amounts of
 * all others were compared before.
 *
 * @returns whether it is marked.
 */
export async function confirmHolders(audit: Audit, addresses: readonly string[]): Promise<boolean> {
  const isMarked = await audit.runStep(async (scan) => {
    const holders = await loadHoldersByAddress(audit.db, audit.key, addresses)
    const state = { amountsFrom: 'ledger', isVerified: true } as const
    return (
      (await compare(audit, scan, holders)) !== undefined &&
      (await markAudited(audit.db, audit.key, audit.process, 'ledger', state))
    )
  })
  return isMarked ?? false
}

/**
 * Compares or reads the next holders by address, and marks the token after the last ones or the first difference.
 *
 * @returns undefined if another process continues, or the source of the amounts changed.
 */
async function auditBatch(
  audit: Audit,
  scan: HolderScan,
  after: string | undefined,
  reading: Reading,
): Promise<Batch | undefined> {
  const { key, db, process } = audit
  const { amountsFrom } = scan
  const holders = await loadHolderBatch(db, key, after, batchSize)
  const block =
    amountsFrom === 'ledger'
      ? await compare(audit, scan, holders, after === undefined)
      : await read(audit, scan, holders, reading)
  const last = holders.length < batchSize ? undefined : holders.at(-1)?.holder
  if (block !== undefined && last !== undefined) {
    return { scan, block, last }
  }
  if (amountsFrom === 'chain' && block !== undefined) {
    await writeReadAmounts(db, key, reading.amounts, block)
  }
  const state =
    block === undefined
      ? ({ amountsFrom: 'chain', isVerified: false } as const)
      : { amountsFrom, isVerified: true }
  const isMarked = await markAudited(db, key, process, amountsFrom, state)
  return isMarked ? { scan, block, last } : undefined
}

/** The amount of a holder at the head, by its transfers. */
export function addRecent(
  { holder, amount = 0n }: Pick<ScannedHolder, 'holder' | 'amount'>,
  recent: HolderChanges,
): bigint {
  return amount + (recent.get(holder)?.amount ?? 0n)
}

/**
 * Compares amounts with `balanceOf`.
 *
 * @param isFirst - whether to include the accounts in transfers and deposits of the latest blocks, which the store may not have.
 * @returns the head of the comparison; undefined if an amount differs repeatedly.
 */
async function compare(
  audit: Audit,
  { standard, scannedBlock }: HolderScan,
  holders: readonly ScannedHolder[],
  isFirst = false,
): Promise<number | undefined> {
  const { key, db, node, recent, signal } = audit
  const { token } = key
  let pending: readonly Pick<ScannedHolder, 'holder' | 'amount'>[] = holders
  for (let round = 1; ; round++) {
    const head = await node.getHead(signal)
    const changes = await recent.load(token, { standard, from: scannedBlock + 1 }, head)
    if (isFirst && round === 1) {
      const changed = [...changes.keys()]
      const all = [
        ...changed.map((holder) => ({ holder, amount: undefined })),
        ...(await loadHoldersByAddress(db, key, changed)),
        ...holders,
      ]
      pending = uniqueBy(all, ({ holder }) => holder)
    }
    const addresses = pending.map(({ holder }) => holder)
    const amounts = await readAmounts(audit, addresses, head)
    pending = pending.filter((each, index) => amounts[index] !== addRecent(each, changes))
    if (pending.length === 0) {
      return head.number
    }
    if (round === confirmations) {
      return undefined
    }
    recent.forget(token)
    await delay(confirmationMs, undefined, { signal })
  }
}

/**
 * Reads amounts at the block of the round. The first batch includes the holders of the latest blocks.
 *
 * @returns the block.
 */
async function read(
  audit: Audit,
  { standard, scannedBlock }: HolderScan,
  holders: readonly ScannedHolder[],
  reading: Reading,
): Promise<number> {
  const { key, node, recent, signal } = audit
  const head = reading.head ?? (await node.getHead(signal))
  const changes = reading.head
    ? new Map<string, never>()
    : await recent.load(key.token, { standard, from: scannedBlock + 1 }, head)
  reading.head = head
  const addresses = [...new Set([...holders.map(({ holder }) => holder), ...changes.keys()])]
  const amounts = await readAmounts(audit, addresses, head)
  for (const [index, address] of addresses.entries()) {
    reading.amounts.set(address, amounts[index])
  }
  return head.number
}

/** @returns undefined where the contract returns no amount. */
async function readAmounts(
  { key, node, signal }: Audit,
  holders: readonly string[],
  block: BlockRef,
): Promise<(bigint | undefined)[]> {
  const calls = holders.map((holder) => balanceOfCall(key.token, holder))
  const results = await node.multicall(calls, block, {
    signal,
    priority: 'search',
    aggregatedBytes: wordBytes,
  })
  return results.map((result) => {
    if (result.status === 'failed') {
      throw result.error
    }
    return decodeWord(result)
  })
}
