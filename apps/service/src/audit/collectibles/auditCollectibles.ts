import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { BlockRef } from '../../rpc/methods/BlockHeader.ts'
import { type Call, decodeWord } from '../../rpc/methods/Call.ts'
import { toHex } from '../../store/hex.ts'
import { uniqueBy } from '../../uniqueBy.ts'
import { type AuditedBlock, readAuditedBlock } from '../AuditedBlock.ts'
import { type AuditOptions, requireSuccess, type RoundResult } from '../auditRound.ts'
import {
  addCalls,
  type CallResults,
  type ComparedItem,
  findOwned,
  findWrong,
  needsCall,
} from './compareItems.ts'
import { correctItems } from './correctItems.ts'
import {
  getItemKey,
  type ItemKey,
  type LedgerItem,
  loadChangedItems,
  loadNextItems,
  loadSuspectedItems,
} from './loadItems.ts'

/** The state of the audit of NFTs between rounds. It is not stored: a restart continues at a random holder. */
export interface CollectibleAuditState {
  /** The last row that was compared in rotation. */
  cursor: ItemKey
  /** Hash of the block at which the rotation started; undefined for one that started in the middle. */
  startedAt: string | undefined
  /** Hash of the block at which all rows were compared. */
  doneAt: string | undefined
  /** The block of the last round. */
  lastBlock: BlockRef | undefined
  /** Rows that differed in one round and are compared again in the next. */
  suspects: readonly LedgerItem[]
  /** For each contract with suspects that reverted, a token with an owner, which shows that the contract still has owners. */
  witnesses: readonly LedgerItem[]
}

const start: ItemKey = { holder: '0x', contract: '0x', tokenId: 0n }

export function createCollectibleAuditState(): CollectibleAuditState {
  return {
    cursor: { ...start, holder: toHex(randomBytes(20)) },
    startedAt: undefined,
    doneAt: undefined,
    lastBlock: undefined,
    suspects: [],
    witnesses: [],
  }
}

/** In rotation, rows of previous owners need no call. */
const rowsPerCall = 2

/**
 * Compares some NFTs of the ledger with `ownerOf` (ERC721) or `balanceOf` (ERC1155), both at the indexed block: those that
 * changed since the last round, up to half of the calls, then all in rotation. Rows that differ in two rounds are
 * corrected. Failed calls have no consequence.
 *
 * @param budget - the maximum number of rows with calls; one whose logs contradict its contract needs two.
 * @throws {NodeError} when all calls failed.
 */
export async function auditCollectibles(
  options: AuditOptions,
  state: CollectibleAuditState,
  budget: number,
  signal?: AbortSignal,
): Promise<RoundResult> {
  const { db, node, chainId, logger, ownerFunctions } = options
  const round = await loadRound(options, state, budget)
  if (!round) {
    return { calls: 0, isDone: true }
  }
  const { block, suspected, changed, next, limit } = round

  const rotated = takeRotated(state, next, limit, block.hash)
  const compared = [...suspected, ...changed.filter(needsCall), ...rotated]
  const items = uniqueBy(compared, getItemKey).map((item) => addCalls(item, ownerFunctions))
  const calls = getCalls(items)
  const keys = [...calls.keys()]
  const results = calls.size > 0 ? await node.multicall([...calls.values()], block, { signal }) : []
  const resultsByCall = new Map(results.map((result, index) => [keys[index], result]))
  const getResult: CallResults = (call) => resultsByCall.get(getCallKey(call))
  requireSuccess(results)
  state.lastBlock = block

  const wrong = findWrong(items, getResult)
  const suspectKeys = new Set(state.suspects.map(getItemKey))
  const confirmed = wrong.filter((item) => suspectKeys.has(getItemKey(item)))
  const corrected = confirmed.length > 0 ? await correctItems(db, block, confirmed) : []
  state.suspects = wrong.filter((item) => !corrected.includes(item))
  state.witnesses = findWitnesses(state.suspects, items, getResult)
  for (const { contract, tokenId, holder } of corrected) {
    const place = { contract, tokenId: String(tokenId), holder, block: block.number }
    logger.warn(place, 'ledger of an NFT differs from its contract; corrected')
  }
  const checked = results.filter((result) => decodeWord(result) !== undefined).length
  await sql`
    update audits set checked = checked + ${checked}::bigint,
      mismatched = mismatched + ${corrected.length}::bigint
    where chain_id = ${chainId}::bigint`.execute(db)
  const isDone = state.doneAt === block.hash && state.suspects.length === 0
  return { calls: calls.size, isDone }
}

interface Round {
  readonly block: AuditedBlock
  /** The suspects and witnesses of the last round. */
  readonly suspected: readonly LedgerItem[]
  /** Rows that changed since the last round. */
  readonly changed: readonly LedgerItem[]
  /** The next rows of the rotation, of which at most `limit` are called. */
  readonly next: readonly LedgerItem[]
  readonly limit: number
}

/** @returns undefined while the first indexing of the chain is not done. */
async function loadRound(
  { db, chainId, isFirst }: AuditOptions,
  state: CollectibleAuditState,
  budget: number,
): Promise<Round | undefined> {
  return await readAuditedBlock(db, { chainId, isFirst }, async (snapshot, block) => {
    const { lastBlock } = state
    const repeated = [...state.suspects, ...state.witnesses].slice(0, budget)
    const suspected = await loadSuspectedItems(snapshot, chainId, repeated)
    const left = budget - suspected.length
    const seen = Math.min(lastBlock?.number ?? block.undoBlock, block.number - 1)
    const changed =
      lastBlock?.hash === block.hash || left < 2
        ? []
        : await loadChangedItems(snapshot, block, seen, left >> 1)
    const limit = state.doneAt === block.hash ? 0 : left - changed.length
    const next =
      limit > 0 ? await loadNextItems(snapshot, chainId, state.cursor, limit * rowsPerCall) : []
    return { block, suspected, changed, next, limit }
  })
}

/** The calls of all items, each once. */
function getCalls(items: readonly ComparedItem[]): Map<string, Call> {
  const calls = items.flatMap(({ calls: { ownerOf, balanceOf } }) =>
    [ownerOf, balanceOf].filter((call) => call !== undefined),
  )
  return new Map(calls.map((call) => [getCallKey(call), call]))
}

/** Selects the rows of the rotation, and advances it. */
function takeRotated(
  state: CollectibleAuditState,
  next: readonly LedgerItem[],
  limit: number,
  hash: string,
): LedgerItem[] {
  if (limit <= 0) {
    return []
  }
  if (state.cursor === start) {
    state.startedAt = hash
  }
  const rotated: LedgerItem[] = []
  for (const item of next) {
    if (rotated.length === limit) {
      break
    }
    state.cursor = item
    if (needsCall(item)) {
      rotated.push(item)
    }
  }
  if (next.length === 0) {
    state.cursor = start
    if (state.startedAt === hash) {
      state.doneAt = hash
    }
  }
  return rotated
}

function getCallKey({ to, data }: Call): string {
  return `${to} ${data}`
}

/** Finds a token with an owner of each contract of suspects. */
function findWitnesses(
  suspects: readonly LedgerItem[],
  items: readonly ComparedItem[],
  results: CallResults,
): LedgerItem[] {
  const contracts = new Set(suspects.map(({ contract }) => contract))
  const witnesses = findOwned(
    items.filter(({ contract }) => contracts.has(contract)),
    results,
  )
  return uniqueBy(witnesses, ({ contract }) => contract)
}
