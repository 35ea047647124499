import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { encodeFunctionData, parseAbi } from 'viem/utils'
import { zeroAddress } from '../../indexing/decode/words.ts'
import { type Call, type CallResult, decodeWord, wordCall } from '../../rpc/methods/Call.ts'
import { toHex } from '../../store/hex.ts'
import { loadAuditedBlock } from '../AuditedBlock.ts'
import type { AuditOptions, RoundResult } from '../auditRound.ts'
import { correctItems, type WrongItem } from './correctItems.ts'
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
  lastBlock: { readonly number: number; readonly hash: string } | undefined
  /** Rows that differed in one round and are compared again in the next. */
  suspects: readonly LedgerItem[]
  /** An answered token of each contract with suspects that reverted, which proves that it still has owners. */
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

const abi = parseAbi([
  'function ownerOf(uint256) view returns (address)',
  'function balanceOf(address, uint256) view returns (uint256)',
])
/** In rotation, rows of previous owners need no call. */
const rowsPerCall = 2

/**
 * Compares some NFTs of the ledger with `ownerOf` (ERC721) or `balanceOf` (ERC1155), both at the indexed block: those that
 * changed since the last round, up to half of the calls, then all in rotation. What differs in two rounds is corrected.
 *
 * A call that fails has no consequence. One that reverts has none either, unless `ownerOf` returns owners of other tokens of the
 * contract: then the token was burned, as ERC721 specifies.
 *
 * @param budget - the maximum number of calls.
 * @throws {NodeError} when all calls failed.
 */
export async function auditCollectibles(
  { db, node, chainId, logger, isFirst }: AuditOptions,
  state: CollectibleAuditState,
  budget: number,
  signal?: AbortSignal,
): Promise<RoundResult> {
  const round = await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (snapshot) => {
      const block = await loadAuditedBlock(snapshot, chainId, isFirst)
      if (!block) {
        return undefined
      }
      const { lastBlock } = state
      const repeated = [...state.suspects, ...state.witnesses].slice(0, budget)
      const suspected = await loadSuspectedItems(snapshot, chainId, repeated)
      const left = budget - suspected.length
      const seen = Math.min(lastBlock?.number ?? block.finalizedBlock, block.number - 1)
      const changed =
        lastBlock?.hash === block.hash || left < 2
          ? []
          : await loadChangedItems(snapshot, block, seen, left >> 1)
      const limit = state.doneAt === block.hash ? 0 : left - changed.length
      const next =
        limit > 0 ? await loadNextItems(snapshot, chainId, state.cursor, limit * rowsPerCall) : []
      return { block, suspected, changed, next, limit }
    })
  if (!round) {
    return { calls: 0, isDone: true }
  }
  const { block, suspected, changed, next, limit } = round

  const rotated = takeRotated(state, next, limit, block.hash)
  const items = [
    ...new Map(
      [...suspected, ...changed.filter(needsCall), ...rotated].map((item) => [
        getItemKey(item),
        item,
      ]),
    ).values(),
  ]
  const results =
    items.length > 0 ? await node.multicall(items.map(createCall), block, { signal }) : []
  const failure = results.find(({ status }) => status === 'failed')
  if (failure?.status === 'failed' && results.every(({ status }) => status === 'failed')) {
    throw failure.error
  }
  state.lastBlock = block

  const wrong = findWrong(items, results)
  const suspectKeys = new Set(state.suspects.map(getItemKey))
  const confirmed = wrong.filter((item) => suspectKeys.has(getItemKey(item)))
  const isCorrected = confirmed.length > 0 && (await correctItems(db, block, confirmed))
  state.suspects = isCorrected ? wrong.filter((item) => !suspectKeys.has(getItemKey(item))) : wrong
  state.witnesses = findWitnesses(state.suspects, items, results)
  if (isCorrected) {
    for (const { contract, tokenId, holder } of confirmed) {
      const place = { contract, tokenId: String(tokenId), holder, block: block.number }
      logger.warn(place, 'ledger of an NFT differs from its contract; corrected')
    }
  }
  const checked = results.filter((result) => decodeWord(result) !== undefined).length
  await sql`
    update audits set checked = checked + ${checked}::bigint,
      mismatched = mismatched + ${isCorrected ? confirmed.length : 0}::bigint
    where chain_id = ${chainId}::bigint`.execute(db)
  const isDone = state.doneAt === block.hash && state.suspects.length === 0
  return { calls: items.length, isDone }
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

/** Whether a row is compared: of an ERC721 token, that of its owner, or any after it was burned. */
function needsCall({ holder, owner, isCollectible }: LedgerItem): boolean {
  return isCollectible && (owner === null || owner === zeroAddress || owner === holder)
}

function createCall({ contract, tokenId, holder, owner }: LedgerItem): Call {
  const data =
    owner === null
      ? encodeFunctionData({
          abi,
          functionName: 'balanceOf',
          args: [holder as `0x${string}`, tokenId],
        })
      : encodeFunctionData({ abi, functionName: 'ownerOf', args: [tokenId] })
  return wordCall(contract, data)
}

/** Finds the rows that differ from the results of their calls. */
function findWrong(items: readonly LedgerItem[], results: readonly CallResult[]): WrongItem[] {
  const words = results.map(decodeWord)
  const answering = new Set(
    items.flatMap(({ contract, owner }, index) =>
      owner !== null && words[index] ? [contract] : [],
    ),
  )
  return items.flatMap((item, index): WrongItem[] => {
    const word = words[index]
    if (item.owner === null) {
      const isWrong = word !== undefined && word !== item.amount
      return isWrong ? [{ ...item, actual: { amount: word } }] : []
    }
    const isBurned = results[index]?.status === 'reverted' && answering.has(item.contract)
    if (word === undefined && !isBurned) {
      return []
    }
    const owner = `0x${BigInt.asUintN(160, word ?? 0n)
      .toString(16)
      .padStart(40, '0')}`
    return owner === item.owner ? [] : [{ ...item, actual: { owner } }]
  })
}

/** Finds a token with an owner of each contract of suspects. */
function findWitnesses(
  suspects: readonly LedgerItem[],
  items: readonly LedgerItem[],
  results: readonly CallResult[],
): LedgerItem[] {
  const contracts = new Set(suspects.map(({ contract }) => contract))
  const witnesses = items.filter(
    ({ contract, owner }, index) =>
      owner !== null && contracts.has(contract) && decodeWord(results[index]),
  )
  return [...new Map(witnesses.map((item) => [item.contract, item])).values()]
}
